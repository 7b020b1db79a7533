// Finished calls that the platform must not take over, as data: forbidden values for every field of a hand-over.
import type { IngestInput } from '@parlance/contracts';

type Field = keyof IngestInput;

/** A hand-over that the platform takes, with the required fields alone. */
export const finishedCall = (agentId: string): object => ({
  eventId: '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47',
  schemaVersion: 1,
  organizationId: 'org-of-somebody',
  agentId,
  callId: 'forged',
  channel: 'phone',
  direction: 'inbound',
  status: 'completed',
  startedAt: '2026-01-01T00:00:00Z',
  endedAt: '2026-01-01T00:01:00Z',
});

/** The required fields of a hand-over; the rest may be left out or be null. */
export const required = [
  'eventId',
  'schemaVersion',
  'organizationId',
  'agentId',
  'callId',
  'channel',
  'direction',
  'status',
  'startedAt',
  'endedAt',
] as const satisfies readonly Field[];

const noText = [5, true, {}, ['x'], 'a\u0000b', '\ud83d'];
const noId = [
  ...noText,
  '',
  'front-desk',
  '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e4',
  '{0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47}',
];
const noWord = [...noText, '', 'Phone', 'surely unknown'];
const noMoment = [
  5,
  {},
  '',
  'yesterday',
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2026-02-30T00:00:00Z',
  '2026-01-01T25:00:00Z',
];
const beyondClocks = ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00+12:00', '9999-12-31T23:59:59-12:00'];
const noNumber = ['1', '', true, {}, [1]];
const noList = ['x', 5, {}, [null], [5], ['x'], [[]]];
const tooLong = (length: number): string => 'x'.repeat(length + 1);

const turn = { seq: 0, role: 'user', text: 'hello', startMs: 0 };
const badTurns = [
  ...['seq', 'role', 'text', 'startMs'].map((name) => ({ [name]: undefined })),
  ...[-1, 1.5, '0', null].flatMap((value) => [{ seq: value }, { startMs: value }]),
  ...[-1, '5', 2 ** 53].map((endMs) => ({ endMs })),
  ...['narrator', 5, null].map((role) => ({ role })),
  ...[5, null, 'a\u0000', tooLong(20_000)].map((text) => ({ text })),
  ...['x', 5, {}].map((toolCall) => ({ toolCall })),
  ...['x', {}, [{ knowledgeSourceId: 'a' }]].map((sources) => ({ sources })),
  ...[{ startMs: 86_400_001 }, { startMs: 2 ** 53 - 1 }, { confidence: 1.1 }, { interrupted: 'no' }],
  ...[...noMoment, ...beyondClocks].map((createdAt) => ({ createdAt })),
  ...[{ id: 'mine' }, { callId: 'other' }, { surely_unknown: 1 }],
].map((change) => [{ ...turn, ...change }]);

const recording = { storageKey: 'a', durationSeconds: 1, channels: 1, sha256: 'x' };
const usage = { kind: 'telephony', quantity: 1, unit: 'second', provider: 'p' };
const evaluation = { id: 'a', name: 'a', result: 'success', score: 1, rationale: null };
const latency = { e2eP50Ms: 1, e2eP95Ms: 1, llmP50Ms: 1, ttsP50Ms: 1, sttP50Ms: 1 };
const consent = { type: 'none', granted: null, at: null, textVersion: null };
const transfer = { type: 'cold', destination: 'x', status: 'succeeded' };

/** Does not compile while a field is missing. */
export const wrong: Readonly<Record<Field, readonly unknown[]>> = {
  eventId: noId,
  schemaVersion: [0, 2, '1', true],
  organizationId: [...noText, '', tooLong(64)],
  agentId: noId,
  callId: [...noText, '', 'a/b', 'a b', '..', '../a', '%00', '..%2f', 'é', tooLong(128), tooLong(10_240)],
  configVersion: [...noNumber, -1, 1.5],
  roomName: [...noText, '', tooLong(256)],
  channel: noWord,
  direction: noWord,
  fromNumber: [...noText, '', tooLong(64)],
  toNumber: [...noText, '', tooLong(64)],
  provider: noWord,
  providerCallId: [...noText, '', tooLong(256)],
  outboundCallId: noId,
  campaignId: noId,
  widgetId: noId,
  status: [...noWord, 'scheduled', 'queued', 'initiated', 'ringing', 'in_progress'],
  endedReason: noWord,
  error: ['busy', 5, [], {}, { reason: 'surely unknown' }, { reason: 'busy', sipStatus: '486' }],
  answeredBy: noWord,
  startedAt: [...noMoment, ...beyondClocks, '2026-01-01T00:01:01Z', '2025-12-30T00:00:00Z'],
  answeredAt: [...noMoment, ...beyondClocks, '2025-12-31T23:59:59Z', '2026-01-01T00:01:01Z'],
  endedAt: [...noMoment, ...beyondClocks, '2025-12-31T23:59:59Z', '2026-01-03T00:00:00Z'],
  durationSeconds: [...noNumber, -1, 86_401],
  transcript: [...noList, ...badTurns, [turn, turn]],
  recording: [
    ...['x', 5, [], {}],
    ...[
      { storageKey: '' },
      { durationSeconds: -1 },
      { channels: 3 },
      { sha256: undefined },
      { url: 'x' },
    ].map((change) => ({ ...recording, ...change })),
  ],
  usage: [
    ...noList,
    ...[
      ...[{ kind: 'video' }, { kind: 'platform' }, { quantity: -1 }, { quantity: '1' }, { quantity: 1e15 }],
      ...[{ unit: 'mile' }, { unit: 'token' }, { provider: '' }, { provider: undefined }, { micros: 5 }],
    ].map((change) => [{ ...usage, ...change }]),
    Array.from({ length: 101 }, () => usage),
  ],
  latency: ['fast', 5, [], {}, { ...latency, e2eP50Ms: -1 }, { ...latency, sttP50Ms: undefined }],
  dataCollected: ['x', 5, [], { a: 1 }, { a: { value: 1 } }, { '': { value: 1, rationale: null } }],
  evaluation: [
    ...noList,
    ...[{ id: '' }, { result: 'maybe' }, { score: '1' }, { rationale: undefined }].map((change) => [
      { ...evaluation, ...change },
    ]),
    Array.from({ length: 51 }, () => evaluation),
  ],
  summary: [...noText, tooLong(10_000)],
  successful: noWord,
  transfer: ['x', 5, [], {}, { ...transfer, type: 'lukewarm' }, { ...transfer, status: 'lost' }],
  consent: ['x', 5, [], {}, { ...consent, type: 'shouted' }, { ...consent, granted: 'yes' }],
  analysisStatus: noWord,
  dynamicVariables: ['x', 5, [], { a: 5 }, { a: null }, { a: '\ud83d' }],
  metadata: ['x', 5, [], { a: '\ud83d' }, { a: 'b\u0000' }],
  optedOut: [null, 'true', 1, 0, [], {}],
};

/** A transcript of so many short turns. */
export const turns = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, seq) => ({ ...turn, seq }));
