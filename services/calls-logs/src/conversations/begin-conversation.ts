// Conversations in text have no room, so no media server tells of them. The service that holds them tells when one begins.
import { type EventOf, eventConsumers, events } from '@parlance/contracts';
import type { RunningPart } from '@parlance/observability';
import { type ConsumerOptions, startConsumer } from '@parlance/postgres';
import type { DescribeCall } from '../call/call-commands.js';
import { type Calls, reportedBy } from '../call/call-repository.js';

type Started =
  | Pick<EventOf<typeof events.conversationStarted>, 'organizationId' | 'data'>
  | Pick<EventOf<typeof events.previewStarted>, 'organizationId' | 'data'>;

const described = ({ organizationId, data }: Started, now: string): DescribeCall => {
  const { callId: _callId, dynamicVariables, metadata, ...begun } = data;
  const { consent, ...conversation } =
    'widgetId' in begun
      ? { ...begun, channel: 'widget' as const }
      : { ...begun, channel: 'preview' as const, widgetId: null, consent: null };
  return {
    ...{ type: 'DescribeCall', now, source: 'runtime' },
    description: {
      ...{ organizationId, direction: 'inbound', inText: true },
      ...{ provider: null, providerCallId: null, outboundCallId: null, campaignId: null },
      ...conversation,
      ...(consent && { consentVersion: consent.textVersion, consentAt: consent.at }),
    },
    people: { fromNumber: null, toNumber: null, dynamicVariables, metadata },
  };
};

export interface ConversationConsumerOptions
  extends Pick<ConsumerOptions<never>, 'nats' | 'db' | 'seals' | 'logger'> {
  readonly calls: Pick<Calls, 'handle'>;
  readonly now: () => Date;
}

/** Starts at once. A conversation is answered when it begins: the agent reads, and the visitor writes. */
export const startConversationConsumer = ({
  calls,
  now,
  ...options
}: ConversationConsumerOptions): RunningPart =>
  startConsumer({
    ...options,
    ...eventConsumers['calls-logs'].conversations,
    handle: async (_tx, began) => {
      const { id, organizationId, occurredAt } = began;
      const { callId, startedAt: answeredAt } = began.data;
      const at = now().toISOString();
      const meta = (what: string) =>
        reportedBy('widgets', { factId: `${id}:${what}`, organizationId, occurredAt });
      await calls.handle(callId, described(began, at), meta('began'));
      const answer = {
        type: 'RecordAnswer',
        now: at,
        organizationId,
        answeredAt,
        providerCallId: null,
      } as const;
      await calls.handle(callId, answer, meta('answered'));
    },
  });
