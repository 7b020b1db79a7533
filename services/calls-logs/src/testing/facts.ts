// For tests: one outbound call, reported by every part of the platform that has to do with it.
import type {
  CallCommand,
  DescribeCall,
  Described,
  IngestCall,
  RecordAnalysis,
  RecordAnswer,
  RecordInitiation,
  RecordRecordingDeleted,
  RecordRoomFacts,
  RecordToolRun,
  RoomFact,
  SettleAttempt,
} from '../call/call-commands.js';
import type { Description, People, RecordedTurn } from '../call/call-events.js';

export const organizationId = 'b7f0c5d8-3f0b-4a53-9b8c-0d3c1a2b4e5f';
export const agentId = '0197f3f0-0000-7000-8000-000000000001';
export const outboundCallId = '0197f3f0-0000-7000-8000-000000000002';
export const now = '2026-03-01T10:01:00.000Z';

export const description: Description = {
  organizationId,
  agentId,
  agentName: 'Front desk',
  configVersion: 3,
  channel: 'phone',
  direction: 'outbound',
  provider: null,
  providerCallId: null,
  roomName: 'ob_1',
  outboundCallId,
  campaignId: null,
  widgetId: null,
  startedAt: '2026-03-01T10:00:00.250Z',
};
export const people: People = {
  fromNumber: '+14155550100',
  toNumber: '+14155550101',
  dynamicVariables: { name: 'Ada' },
  metadata: { crm: 7 },
};

export const fromDialer: Described = { source: 'dialer', description, people };
export const fromRoom: Described = {
  source: 'room',
  description: { ...description, startedAt: '2026-03-01T10:00:00.000Z' },
  people,
};

export const started: DescribeCall = { type: 'DescribeCall', now, ...fromDialer };
export const answered: RecordAnswer = {
  type: 'RecordAnswer',
  now,
  organizationId,
  answeredAt: '2026-03-01T10:00:05.000Z',
  providerCallId: 'SCL_1',
};
export const roomFact = (fact: RoomFact): RecordRoomFacts => ({
  type: 'RecordRoomFacts',
  now,
  ...fromRoom,
  facts: [fact],
});
export const opened = roomFact({ kind: 'opened' });
export const agentIn = roomFact({
  kind: 'moved',
  participant: 'a',
  as: 'agent',
  moved: 'in',
  at: '2026-03-01T10:00:01.000Z',
});
export const personIn = roomFact({
  kind: 'moved',
  participant: 'p',
  as: 'person',
  moved: 'in',
  at: '2026-03-01T10:00:02.000Z',
});
export const personOut = roomFact({
  kind: 'moved',
  participant: 'p',
  as: 'person',
  moved: 'out',
  at: '2026-03-01T10:00:40.000Z',
});
export const hungUp = roomFact({
  kind: 'moved',
  participant: 'p',
  as: 'person',
  moved: 'out',
  at: '2026-03-01T10:00:40.000Z',
  leftBy: 'itself',
});
/** The room was taken away in the second of a hang-up. */
export const putOut = roomFact({
  kind: 'moved',
  participant: 'p',
  as: 'person',
  moved: 'out',
  at: '2026-03-01T10:00:40.000Z',
  leftBy: 'others',
});
/** The SIP service of the telephone died. */
export const lineLost = roomFact({
  ...{ kind: 'moved', participant: 'p', as: 'person', moved: 'out', at: '2026-03-01T10:00:20.000Z' },
  ...{ leftBy: 'others', lost: true },
});
export const closed = roomFact({ kind: 'closed', at: '2026-03-01T10:00:41.000Z' });

export const busy: SettleAttempt = {
  type: 'SettleAttempt',
  now,
  organizationId,
  end: {
    status: 'busy',
    endedReason: 'busy',
    answeredBy: null,
    answeredAt: null,
    endedAt: '2026-03-01T10:00:03.000Z',
    durationSeconds: null,
  },
  error: { reason: 'busy', sipStatus: 486 },
};

export const turn = (seq: number, text = `turn ${seq}`): RecordedTurn => ({
  seq,
  role: seq % 2 === 0 ? 'agent' : 'user',
  text,
  spokenText: null,
  interrupted: false,
  startMs: seq * 1_000,
  endMs: null,
  confidence: null,
  language: 'en',
  toolCall: null,
  sources: [],
  latencyMs: null,
  createdAt: '2026-03-01T10:00:05.000Z',
});

export const ingest: IngestCall = {
  type: 'IngestCall',
  now,
  source: 'runtime',
  description: { ...description, startedAt: '2026-03-01T10:00:00.000Z' },
  people,
  ingestId: '0197f3f0-0000-7000-8000-000000000003',
  end: {
    status: 'completed',
    endedReason: 'user_hangup',
    answeredBy: 'human',
    answeredAt: '2026-03-01T10:00:05.000Z',
    endedAt: '2026-03-01T10:00:41.500Z',
    durationSeconds: 36.5,
  },
  error: null,
  parts: [{ part: 0, turns: [turn(0), turn(1)] }],
  details: {
    messageCount: 2,
    rateTable: '2026-03',
    cost: {
      totalMicros: 5_000,
      currency: 'USD',
      items: [{ kind: 'telephony', micros: 5_000, quantity: 36.5, unit: 'second' }],
    },
    latency: null,
    recording: null,
    consent: null,
    analysisStatus: 'completed',
    successful: 'success',
  },
  personal: {
    digest: 'd1',
    summary: 'They talked.',
    transfer: null,
    dataCollected: {},
    evaluation: [],
    dynamicVariables: { name: 'Ada' },
    metadata: { crm: 7 },
  },
};

export const toolRun = (number = 1): RecordToolRun => ({
  type: 'RecordToolRun',
  now,
  organizationId,
  agentId,
  run: {
    executionId: `0197f3f0-0000-7000-8000-1000000${String(number).padStart(5, '0')}`,
    toolId: '0197f3f0-0000-7000-8000-000000000005',
    name: 'find_order',
    status: 'ok',
    at: '2026-03-01T10:00:30.000Z',
    durationMs: 120,
    arguments: { order: `A-${number}` },
  },
});

export const initiation: RecordInitiation = {
  ...{ type: 'RecordInitiation', now, organizationId, agentId },
  at: '2026-03-01T10:00:04.000Z',
  dynamicVariables: { name: 'Webhook', orderId: 'A-7' },
};

/** The six facts of a call that was held. */
export const heldCall: readonly CallCommand[] = [started, answered, agentIn, personIn, closed, ingest];
const storageKey = `org/${organizationId}/recordings/c/recording.wav`;
/** The same call, of which the runtime hands a recording over. */
export const recordedCall: readonly CallCommand[] = heldCall.map((command) =>
  command === ingest
    ? {
        ...ingest,
        details: {
          ...ingest.details,
          recording: { storageKey, durationSeconds: 36.5, channels: 2, sha256: 'ab' },
        },
      }
    : command,
);
/** The same call, handed over without an analysis. */
export const pendingCall: readonly CallCommand[] = heldCall.map((command) =>
  command === ingest
    ? {
        ...ingest,
        details: { ...ingest.details, analysisStatus: 'pending', successful: null },
        personal: { ...ingest.personal, summary: null },
      }
    : command,
);
export const analysis: RecordAnalysis = {
  type: 'RecordAnalysis',
  now,
  organizationId,
  ingestId: ingest.ingestId,
  analysisStatus: 'completed',
  successful: 'success',
  model: null,
  personal: {
    summary: 'Caller: “turn 1”',
    dataCollected: {
      guests: { value: 4, rationale: 'The caller said so in turn 1.', turns: [1], quote: 'turn 1' },
    },
    evaluation: [
      { id: 'kind', name: 'Kind', result: 'success', score: 1, rationale: null, turns: [0], quote: 'turn 0' },
    ],
  },
};
export const recordingDeleted: RecordRecordingDeleted = {
  type: 'RecordRecordingDeleted',
  now,
  organizationId,
  storageKey,
};

/** The six facts of a call to a busy line. */
export const busyCall: readonly CallCommand[] = [started, opened, agentIn, personIn, closed, busy];

const inbound = { direction: 'inbound', outboundCallId: null } as const;
/** The same fact of a call without a dialer; each fact of the room tells its own time as the start. */
export const fromInbound = (command: RecordRoomFacts): RecordRoomFacts => {
  const [fact] = command.facts;
  const { description } = command;
  const startedAt = fact !== undefined && 'at' in fact ? fact.at : description.startedAt;
  return { ...command, description: { ...description, ...inbound, startedAt } };
};
/** The six facts of a call that came in and of which the runtime told nothing. */
export const inboundCall: readonly CallCommand[] = [opened, agentIn, personIn, personOut, closed, closed].map(
  fromInbound,
);
