// Invitations that wait for an answer. Only owners and admins may see them.

import { MailX, Send } from 'lucide-react';
import { useCan } from '../../app/permission.js';
import { reasonOf } from '../../app/permission-rules.js';
import { useCaller } from '../../app/session.js';
import { EmptyState } from '../../components/card.js';
import { confirmThat } from '../../components/confirm.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { menuIcon, RowMenu } from '../../components/menu.js';
import { sending } from '../../components/sending.js';
import { Notice, StatusBadge } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { Moment } from '../../components/values.js';
import { now } from '../../data/clock.js';
import { useCommand } from '../../data/commands.js';
import { useOperation } from '../../data/queries.js';
import { type Role, roles } from '../../data/roles.js';
import type { RecordOf } from '../../data/types.js';
import { memberStrings as strings } from '../../strings/members.js';
import { mayChange } from './member-rules.js';

type Invitation = RecordOf<'auth.organizationListInvitations'>;

const hasExpired = ({ expiresAt }: Invitation): boolean => Date.parse(expiresAt) <= now();
const roleOf = ({ role }: Invitation): Role => roles.find((one) => one === role) ?? 'member';

const columns: readonly Column<Invitation>[] = [
  {
    id: 'email',
    header: strings.address,
    cell: ({ email }) => <span className="font-medium">{email}</span>,
  },
  { id: 'role', header: strings.role, cell: (one) => strings.roles[roleOf(one)] },
  {
    id: 'status',
    header: strings.status,
    cell: (one) =>
      hasExpired(one) ? (
        <StatusBadge tone="attention">{strings.expired}</StatusBadge>
      ) : (
        <StatusBadge tone="accent">{strings.waiting}</StatusBadge>
      ),
  },
  { id: 'expires', header: strings.expires, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
];

const InvitationMenu = ({ invitation }: { readonly invitation: Invitation }) => {
  const own = useCaller()?.role;
  const invalidates = ['auth.organizationListInvitations'];
  const invite = useCommand('auth.organizationInviteMember', { invalidates });
  const cancel = useCommand('auth.organizationCancelInvitation', { invalidates });
  const mayInvite = useCan('auth.organizationInviteMember');
  const mayCancel = useCan('auth.organizationCancelInvitation');
  const { id, email } = invitation;
  const target = { role: roleOf(invitation), isYou: false };
  const sendingAgain = sending(invite.wish({ body: { email, role: roleOf(invitation), resend: true } }), () =>
    toast.done(strings.sentAgain(email)),
  );
  const askToCancel = (): void =>
    confirmThat({
      title: strings.cancelTitle(email),
      text: strings.cancelText,
      action: strings.cancel,
      wish: cancel.wish({ body: { invitationId: id } }),
      done: () => toast.done(strings.cancelled(email)),
    });
  return (
    <RowMenu
      name={email}
      items={[
        {
          label: strings.sendAgain,
          icon: <Send aria-hidden className={menuIcon} />,
          ...sendingAgain,
          reason: reasonOf(mayChange(mayInvite, own, target)),
        },
        {
          label: strings.cancel,
          icon: <MailX aria-hidden className={menuIcon} />,
          danger: true,
          onSelect: askToCancel,
          reason: reasonOf(mayChange(mayCancel, own, target)),
        },
      ]}
    />
  );
};

export const Invitations = () => {
  const verdict = useCan('auth.organizationListInvitations');
  const { data, error, refetch } = useOperation(
    'auth.organizationListInvitations',
    { query: {} },
    { enabled: verdict.allowed },
  );
  return (
    <section aria-labelledby="invitations" className="flex flex-col gap-3">
      <h2 id="invitations" className="font-semibold">
        {strings.invitations}
      </h2>
      {verdict.allowed ? (
        <DataTable
          caption={strings.invitationsCaption}
          columns={columns}
          rows={data?.filter(({ status }) => status === 'pending')}
          rowId={({ id }) => id}
          rowActions={(invitation) => <InvitationMenu invitation={invitation} />}
          error={error}
          retry={() => void refetch()}
          empty={<EmptyState title={strings.noInvitations} text={strings.noInvitationsText} />}
        />
      ) : (
        <Notice tone="neutral">{verdict.reason}</Notice>
      )}
    </section>
  );
};
