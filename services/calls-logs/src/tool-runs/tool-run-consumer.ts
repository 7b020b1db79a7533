// The tools that the platform ran in calls, for the record of each call.
import { eventConsumers, events } from '@parlance/contracts';
import type { RunningPart } from '@parlance/observability';
import { type ConsumerOptions, startConsumer } from '@parlance/postgres';
import { type Calls, reportedBy } from '../call/call-repository.js';
import { runOf } from '../hand-over/platform-facts.js';
import type { TranscriptRedactor } from '../redaction/transcript-redactor.js';

export interface ToolRunConsumerOptions
  extends Pick<ConsumerOptions<never>, 'nats' | 'db' | 'seals' | 'logger'> {
  readonly calls: Pick<Calls, 'handle'>;
  readonly redactor: Pick<TranscriptRedactor, 'forToolRuns'>;
  readonly now: () => Date;
}

/** Starts at once. A run that overtook the first report of its call comes again a moment later. */
export const startToolRunConsumer = ({
  calls,
  redactor,
  now,
  ...options
}: ToolRunConsumerOptions): RunningPart =>
  startConsumer({
    ...options,
    ...eventConsumers['calls-logs'].toolRuns,
    handle: async (_tx, { id, name, organizationId, occurredAt, data }) => {
      const { callId, agentId } = data;
      const redact = await redactor.forToolRuns({ organizationId, agentId, version: null, requestId: id });
      await calls.handle(
        callId,
        {
          type: 'RecordToolRun',
          now: now().toISOString(),
          organizationId,
          agentId,
          run: redact(runOf(data)),
        },
        reportedBy(name === events.mcpToolExecuted.name ? 'mcp-hub' : 'tools-secrets', {
          factId: id,
          organizationId,
          occurredAt,
        }),
      );
    },
  });
