// The messages to webhooks about one call.
import type { WebhookDelivery } from '@parlance/client';
import { Guarded } from '../../app/permission.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { confirmThat } from '../../components/confirm.js';
import { ErrorNote } from '../../components/error-note.js';
import { StatusBadge, type Tone } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { Moment } from '../../components/values.js';
import { useCommand } from '../../data/commands.js';
import { useList } from '../../data/queries.js';
import { callDetailStrings as strings } from '../../strings/call-detail.js';

const tones: Readonly<Record<WebhookDelivery['status'], Tone>> = {
  pending: 'accent',
  retrying: 'attention',
  delivered: 'good',
  failed: 'bad',
};

const Replay = ({ delivery }: { readonly delivery: WebhookDelivery }) => {
  const replay = useCommand('webhooks.replay', { invalidates: ['webhooks.', 'calls.'] });
  const ask = (): void =>
    confirmThat({
      title: strings.replayTitle(strings.webhookTypes[delivery.type], delivery.origin),
      text: strings.replayText,
      action: strings.replay,
      danger: false,
      wish: replay.wish({ params: { deliveryId: delivery.id }, body: {} }),
      done: () => toast.done(strings.replayed(delivery.origin)),
    });
  return (
    <Guarded operation="webhooks.replay">
      <Button onClick={ask}>{strings.replay}</Button>
    </Guarded>
  );
};

const Message = ({ delivery }: { readonly delivery: WebhookDelivery }) => (
  <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-t border-line py-2 first:border-t-0 first:pt-0 last:pb-0">
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{strings.webhookTypes[delivery.type]}</span>
        <StatusBadge tone={tones[delivery.status]}>{strings.webhookStates[delivery.status]}</StatusBadge>
      </p>
      <p className="text-xs text-ink-soft">
        {delivery.origin} · {strings.webhookTries}: {delivery.tries}
      </p>
      <span className="text-xs">
        <Moment at={delivery.occurredAt} />
      </span>
      {delivery.lastProblem !== null && delivery.status !== 'delivered' && (
        <p className="text-xs text-danger">{delivery.lastProblem.text}</p>
      )}
      {delivery.nextAttemptAt !== null && delivery.status === 'retrying' && (
        <p className="text-xs text-ink-soft">
          {strings.webhookNext}: <Moment at={delivery.nextAttemptAt} />
        </p>
      )}
    </div>
    {(delivery.status === 'failed' || delivery.status === 'delivered') && <Replay delivery={delivery} />}
  </li>
);

export const WebhookMessages = ({
  callId,
  everyMs,
}: {
  readonly callId: string;
  readonly everyMs: number | undefined;
}) => {
  const { rows, error, refresh } = useList(
    'webhooks.deliveries',
    { query: { callId } },
    everyMs === undefined ? {} : { everyMs, isTold: true },
  );
  if (rows === undefined && !error) return null;
  return (
    <Card title={strings.webhooks}>
      {rows === undefined ? (
        <ErrorNote error={error} retry={() => void refresh()} />
      ) : rows.length === 0 ? (
        <p className="text-ink-soft">{strings.webhooksNone}</p>
      ) : (
        <ul>
          {rows.map((delivery) => (
            <Message key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
    </Card>
  );
};
