// The attempts that the dialer reports on request, for calls that missed its events.
import { type AttemptFacts, eventConsumers, isTerminal } from '@parlance/contracts';
import type { EventMeta } from '@parlance/event-sourcing';
import type { RunningPart } from '@parlance/observability';
import { type ConsumerOptions, startConsumer } from '@parlance/postgres';
import type { CallCommand } from '../call/call-commands.js';
import { type Calls, reportedBy } from '../call/call-repository.js';

const dialer = 'outbound-dialer';

/** The commands that follow from the state of an attempt, for a call that missed the dialer's events. */
const commandsFromFacts = (
  facts: AttemptFacts,
  organizationId: string,
  now: string,
): { readonly command: CallCommand; readonly meta: EventMeta }[] => {
  const { callId, status, endedReason, answeredAt, endedAt } = facts;
  const meta = (what: string): EventMeta =>
    reportedBy(dialer, { factId: `${callId}:${what}`, organizationId, occurredAt: now });
  const answer =
    answeredAt === null
      ? []
      : [
          {
            command: { type: 'RecordAnswer', now, organizationId, answeredAt, providerCallId: null } as const,
            meta: meta('answered'),
          },
        ];
  if (!isTerminal(status) || endedAt === null) return answer;
  const end = {
    status,
    endedReason: endedReason ?? 'unknown',
    endedAt,
    answeredBy: null,
    answeredAt,
    durationSeconds: null,
  } as const;
  const settle = { type: 'SettleAttempt', now, organizationId, end, error: null } as const;
  return [...answer, { command: settle, meta: meta('settled') }];
};

export interface AttemptReportConsumerOptions extends Pick<ConsumerOptions<never>, 'nats' | 'db' | 'logger'> {
  readonly calls: Pick<Calls, 'handle'>;
  readonly now: () => Date;
}

/**
 * A call without a room ends here once its attempt has ended, or where the dialer knows none. It waits for the report: an inferred end
 * could contradict that of the dialer.
 */
export const startAttemptReportConsumer = ({
  calls,
  now: clock,
  ...options
}: AttemptReportConsumerOptions): RunningPart =>
  startConsumer({
    ...options,
    ...eventConsumers['calls-logs'].attemptReports,
    handle: async (_tx, { organizationId, data: { attempts, unknownCallIds } }) => {
      const now = clock().toISOString();
      for (const facts of attempts)
        for (const { command, meta } of commandsFromFacts(facts, organizationId, now))
          await calls.handle(facts.callId, command, meta);
      const over = attempts.filter(({ status }) => isTerminal(status)).map(({ callId }) => callId);
      for (const callId of [...over, ...unknownCallIds]) {
        const meta = reportedBy(dialer, {
          factId: `${callId}:overdue:${now}`,
          organizationId,
          occurredAt: now,
        });
        await calls.handle(callId, { type: 'EndOverdue', now }, meta);
      }
    },
  });
