// Every device that is signed in to the account.
import type { AuthListedSession } from '@parlance/client';
import { useSession } from '../../app/session.js';
import { Button } from '../../components/button.js';
import { Card, EmptyState } from '../../components/card.js';
import { confirmThat } from '../../components/confirm.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { StatusBadge } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { Moment } from '../../components/values.js';
import { useCommand } from '../../data/commands.js';
import { useOperation } from '../../data/queries.js';
import { accountStrings as strings } from '../../strings/account.js';
import { deviceOf } from './device.js';

const columnsFor = (currentId: string | undefined): readonly Column<AuthListedSession>[] => [
  {
    id: 'device',
    header: strings.device,
    cell: ({ id, userAgent }) => (
      <span className="inline-flex flex-wrap items-center gap-2">
        {deviceOf(userAgent ?? '') ?? strings.unknownDevice}
        {id === currentId && <StatusBadge tone="accent">{strings.thisOne}</StatusBadge>}
      </span>
    ),
  },
  { id: 'address', header: strings.address, cell: ({ ipAddress }) => ipAddress ?? '' },
  { id: 'since', header: strings.since, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

const invalidates = ['auth.listSessions'] as const;

export const SessionsCard = () => {
  const current = useSession()?.sessionId;
  const sessions = useOperation('auth.listSessions', {});
  const end = useCommand('auth.revokeSession', { invalidates });
  const endOthers = useCommand('auth.revokeOtherSessions', { invalidates });
  const askToEnd = (token: string): void =>
    confirmThat({
      title: strings.endTitle,
      text: strings.endText,
      action: strings.end,
      wish: end.wish({ body: { token } }),
      done: () => toast.done(strings.ended),
    });
  const askToEndOthers = (): void =>
    confirmThat({
      title: strings.endOthersTitle,
      text: strings.endOthersText,
      action: strings.endOthers,
      wish: endOthers.wish({}),
      done: () => toast.done(strings.othersEnded),
    });
  return (
    <Card
      title={strings.sessions}
      actions={
        (sessions.data?.length ?? 0) > 1 && <Button onClick={askToEndOthers}>{strings.endOthers}</Button>
      }
    >
      <DataTable
        caption={strings.sessionsCaption}
        columns={columnsFor(current)}
        rows={sessions.data}
        rowId={({ id }) => id}
        rowActions={({ id, token }) =>
          id === current ? null : (
            <Button kind="quiet" onClick={() => askToEnd(token)}>
              {strings.end}
            </Button>
          )
        }
        error={sessions.error}
        retry={() => void sessions.refetch()}
        empty={<EmptyState title={strings.none} />}
      />
    </Card>
  );
};
