// For tests: the hand-over of a finished call.
import { IngestInput } from '@parlance/contracts';

export const ingestBody = (change: object = {}): IngestInput =>
  IngestInput.parse({
    eventId: '0197f3f0-0000-7000-8000-00000000000a',
    schemaVersion: 1,
    organizationId: 'org',
    agentId: '0197f3f0-0000-7000-8000-00000000000b',
    callId: 'c1',
    channel: 'phone',
    direction: 'inbound',
    status: 'completed',
    startedAt: '2026-03-01T10:00:00Z',
    endedAt: '2026-03-01T10:01:00Z',
    ...change,
  });
