// Whether everybody who works here needs a second factor.
import { useCan } from '../../app/permission.js';
import { useCaller, useSession } from '../../app/session.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { confirmThat } from '../../components/confirm.js';
import { StatusBadge } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { Tooltip } from '../../components/tooltip.js';
import { useCommand } from '../../data/commands.js';
import { useOperation } from '../../data/queries.js';
import { memberStrings as strings } from '../../strings/members.js';
import { mayRequire } from './member-rules.js';

export const SecondFactorCard = () => {
  const session = useSession();
  const own = useCaller()?.role;
  const { data: organizations } = useOperation('auth.organizationList', {});
  const command = useCommand('auth.organizationRequireSecondFactor', {
    invalidates: ['auth.organizationList'],
  });
  const can = useCan('auth.organizationRequireSecondFactor');
  const organization = organizations?.find(({ id }) => id === session?.activeOrganizationId);
  if (organization === undefined) return null;
  const isRequired = organization.secondFactorRequired === true;
  const verdict = mayRequire(can, own, {
    secondFactor: session?.user.twoFactorEnabled === true,
    isRequired,
  });
  const change = (): void =>
    confirmThat({
      title: isRequired ? strings.requireNoMoreTitle : strings.requireTitle,
      text: isRequired ? strings.requireNoMoreQuestion : strings.requireQuestion,
      action: isRequired ? strings.requireNoMore : strings.require,
      danger: isRequired,
      wish: command.wish({ body: { required: !isRequired } }),
      done: () => toast.done(isRequired ? strings.requiredNoMore : strings.required),
    });
  const label = isRequired ? strings.requireNoMore : strings.require;
  return (
    <Card
      title={strings.secondFactor}
      actions={
        verdict.allowed ? (
          <Button onClick={change}>{label}</Button>
        ) : (
          <Tooltip text={verdict.reason}>
            <Button aria-disabled>{label}</Button>
          </Tooltip>
        )
      }
    >
      <p>
        <StatusBadge tone={isRequired ? 'good' : 'attention'}>
          {isRequired ? strings.secondFactorOn : strings.secondFactorOff}
        </StatusBadge>
      </p>
      <p className="mt-2 text-ink-soft">{strings.secondFactorText}</p>
      {!verdict.allowed && <p className="mt-1 text-xs text-ink-soft">{verdict.reason}</p>}
    </Card>
  );
};
