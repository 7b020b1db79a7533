// The dialer's reports of the attempts behind outbound calls.
import { eventConsumers } from '@parlance/contracts';
import type { RunningPart } from '@parlance/observability';
import { type ConsumedEvent, type ConsumerOptions, startConsumer } from '@parlance/postgres';
import type { CallCommand } from '../call/call-commands.js';
import { type Calls, reportedBy } from '../call/call-repository.js';

const told = eventConsumers['calls-logs'].attempts;
type Told = ConsumedEvent<(typeof told.events)[number]>;

const dialer = 'outbound-dialer';

const commandFor = (event: Told, now: string): CallCommand => {
  const { organizationId } = event;
  switch (event.name) {
    case 'outbound-dialer.attempt.started': {
      const { agentId, agentName, configVersion, roomName, provider, outboundCallId, campaignId } =
        event.data;
      return {
        type: 'DescribeCall',
        now,
        source: 'dialer',
        description: {
          ...{
            organizationId,
            agentId,
            agentName,
            configVersion,
            roomName,
            provider,
            outboundCallId,
            campaignId,
          },
          channel: 'phone',
          direction: 'outbound',
          providerCallId: null,
          widgetId: null,
          startedAt: event.data.startedAt,
        },
        people: {
          fromNumber: event.data.fromNumber,
          toNumber: event.data.toNumber,
          dynamicVariables: event.data.dynamicVariables,
          metadata: event.data.metadata,
        },
      };
    }
    case 'outbound-dialer.attempt.answered': {
      const { answeredAt, providerCallId } = event.data;
      return { type: 'RecordAnswer', now, organizationId, answeredAt, providerCallId };
    }
    case 'outbound-dialer.attempt.settled': {
      const { status, endedReason, error, endedAt } = event.data;
      const end = { status, endedReason, endedAt, answeredBy: null, answeredAt: null, durationSeconds: null };
      return { type: 'SettleAttempt', now, organizationId, end, error };
    }
    default:
      return event satisfies never;
  }
};

export interface AttemptConsumerOptions
  extends Pick<ConsumerOptions<never>, 'nats' | 'db' | 'seals' | 'logger'> {
  readonly calls: Calls;
  readonly now: () => Date;
}

/** An event that overtook the event of its call's start comes again a moment later. */
export const startAttemptConsumer = ({ calls, now, ...options }: AttemptConsumerOptions): RunningPart =>
  startConsumer({
    ...options,
    ...told,
    handle: async (_tx, event) => {
      const { organizationId, occurredAt } = event;
      const meta = reportedBy(dialer, { factId: event.id, organizationId, occurredAt });
      await calls.handle(event.data.callId, commandFor(event, now().toISOString()), meta);
    },
  });
