// One message to a webhook with each of its tries, and a way to send it again.
import type { WebhookDelivery } from '@parlance/client';
import { useContext, useState } from 'react';
import { Guarded } from '../../app/permission.js';
import { Button } from '../../components/button.js';
import { EmptyState, Facts } from '../../components/card.js';
import { CopyAsCurl } from '../../components/copy-as-curl.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { ErrorNote } from '../../components/error-note.js';
import { FieldShell } from '../../components/field-shell.js';
import { Notice, StatusBadge } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { CopyableId, Duration, Moment, TimeZone } from '../../components/values.js';
import { useCommand } from '../../data/commands.js';
import { momentText } from '../../strings/format.js';
import { webhookStrings as strings } from '../../strings/webhooks.js';

type Try = WebhookDelivery['attempts'][number];
type Target = keyof typeof strings.replayChoices;

const columns: readonly Column<Try>[] = [
  { id: 'when', header: strings.when, cell: ({ at }) => <Moment at={at} /> },
  {
    id: 'answer',
    header: strings.answer,
    cell: ({ statusCode }) => (statusCode === null ? strings.noAnswer : strings.status(statusCode)),
  },
  {
    id: 'problem',
    header: strings.problem,
    cell: ({ problem }) =>
      problem === null ? (
        <StatusBadge tone="good">{strings.arrived}</StatusBadge>
      ) : (
        <span>{problem.text}</span>
      ),
  },
  {
    id: 'took',
    header: strings.took,
    numeric: true,
    deskOnly: true,
    cell: ({ durationMs }) => <Duration ms={durationMs} />,
  },
];

const isBeingTried = ({ status }: WebhookDelivery): boolean => status === 'pending' || status === 'retrying';

const Replay = ({ delivery }: { readonly delivery: WebhookDelivery }) => {
  const [to, setTo] = useState<Target>('recorded');
  const replay = useCommand('webhooks.replay');
  const parts = { params: { deliveryId: delivery.id }, body: { to } };
  const send = async (): Promise<void> => {
    await replay.mutateAsync(parts);
    toast.done(strings.replayed);
  };
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <FieldShell label={strings.replayTo} hint={strings.replayText}>
        {(ids) => (
          <select
            {...ids}
            className="input"
            value={to}
            onChange={({ target }) => setTo(target.value === 'current' ? 'current' : 'recorded')}
          >
            {Object.entries(strings.replayChoices).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </FieldShell>
      {replay.error !== null && <ErrorNote error={replay.error} />}
      <DialogActions>
        <CopyAsCurl operation="webhooks.replay" parts={parts} />
        <Guarded operation="webhooks.replay">
          {/* The failure is shown above. */}
          <Button kind="primary" busy={replay.isPending} onClick={() => void send().catch(() => undefined)}>
            {strings.replay}
          </Button>
        </Guarded>
      </DialogActions>
    </div>
  );
};

export const DeliveryDialog = ({
  delivery,
  onClose,
}: {
  readonly delivery: WebhookDelivery;
  readonly onClose: () => void;
}) => {
  const zone = useContext(TimeZone);
  const { id, callId, type, origin, attempts, receiverClosedAt, nextAttemptAt, occurredAt } = delivery;
  return (
    <Dialog open hasAddress wide onClose={onClose} title={strings.detailTitle(strings.types[type] ?? type)}>
      <Facts
        facts={[
          { name: strings.receiver, value: <span>{origin}</span> },
          { name: strings.state, value: strings.states[delivery.status] },
          { name: strings.message, value: <CopyableId id={id} name={strings.id} short /> },
          { name: strings.call, value: <CopyableId id={callId} name={strings.callId} short /> },
          { name: strings.happened, value: <Moment at={occurredAt} /> },
          {
            name: strings.next,
            value: nextAttemptAt === null ? strings.noNext : <Moment at={nextAttemptAt} />,
          },
        ]}
      />
      {receiverClosedAt !== null && (
        <Notice tone="attention">{strings.closed(momentText(receiverClosedAt, zone))}</Notice>
      )}
      <DataTable
        caption={strings.triesCaption}
        columns={columns}
        rows={attempts}
        rowId={({ at }) => at}
        empty={<EmptyState title={strings.noTries} />}
      />
      {isBeingTried(delivery) ? (
        <p className="text-ink-soft">{strings.replayPending}</p>
      ) : (
        <Replay delivery={delivery} />
      )}
    </Dialog>
  );
};
