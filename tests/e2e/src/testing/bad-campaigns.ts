// Bad requests about numbers, campaigns and the suppression list, as data: each with the one answer that it gets.
import type { Refusal } from './bad-inputs.js';

type Case = readonly [name: string, change: Readonly<Record<string, unknown>>, refused: Refusal];

const invalid: Refusal = [400, 'VALIDATION_ERROR'];
const notANumber: Refusal = [400, 'INVALID_PHONE_NUMBER'];
const notFound: Refusal = [404, 'NUMBER_NOT_FOUND'];
const noFile: Refusal = [404, 'UPLOAD_NOT_FOUND'];

const weekdays = { days: [0, 1, 2, 3, 4], start: '09:00', end: '18:00', basis: 'recipient' };
const windows: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['of no time', { start: '09:00', end: '09:00' }],
  ['without days', { days: [] }],
  ['on an eighth day', { days: [7] }],
  ['on eight days', { days: [0, 1, 2, 3, 4, 5, 6, 6] }],
  ['from 24:00', { start: '24:00' }],
  ['until 24:01', { end: '24:01' }],
  ['with seconds', { start: '09:00:00' }],
  ['on the basis of nothing', { basis: 'caller' }],
  ['with a zone of its own', { timezone: 'UTC' }],
];

/** Fields of a campaign that make it impossible. */
export const campaigns: readonly Case[] = [
  ...windows.map(
    ([name, change]): Case => [`a window ${name}`, { callingWindow: { ...weekdays, ...change } }, invalid],
  ),
  ...['Mars/Olympus', '+02:00', '', 'local', 'BST', 'EST', 'Etc/GMT+5'].map(
    (timezone): Case => [`timezone ${JSON.stringify(timezone)}`, { timezone }, invalid],
  ),
  ...[0, 0.09, 101, -1, '5', null].map(
    (callsPerSecond): Case => [
      `${JSON.stringify(callsPerSecond)} calls per second`,
      { callsPerSecond },
      invalid,
    ],
  ),
  ...[9, 181, 30.5, -30, null].map(
    (ringingTimeoutSeconds): Case => [
      `phones that ring for ${ringingTimeoutSeconds} s`,
      { ringingTimeoutSeconds },
      invalid,
    ],
  ),
  ...[0, 10_001, 1.5].map(
    (maxConcurrency): Case => [`${maxConcurrency} calls at once`, { maxConcurrency }, invalid],
  ),
  ...[{ maxAttempts: 0 }, { maxAttempts: 11 }, { delaySeconds: 29 }, { delaySeconds: 86_401 }].map(
    (retryPolicy): Case => [`retries of ${JSON.stringify(retryPolicy)}`, { retryPolicy }, invalid],
  ),
  ['retries of calls that people declined', { retryPolicy: { on: ['declined'] } }, invalid],
  ...[
    { failureThreshold: 1.1 },
    { failureThreshold: -0.1 },
    { windowSeconds: 29 },
    { windowSeconds: 601 },
    { minCalls: 0 },
    { minCalls: 1_001 },
  ].map(
    (circuitBreaker): Case => [`a breaker of ${JSON.stringify(circuitBreaker)}`, { circuitBreaker }, invalid],
  ),
  ...['tomorrow', '2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-11-21T10:00:00', 1_790_000_000].map(
    (scheduledAt): Case => [`a start at ${scheduledAt}`, { scheduledAt }, invalid],
  ),
  ...[-61, 367 * 86_400].map((seconds): Case => {
    const scheduledAt = new Date(Date.now() + seconds * 1_000).toISOString();
    return [`a start ${seconds} s from now`, { scheduledAt }, invalid];
  }),
  ...[
    5,
    [],
    {},
    ...[0, -1, 1.5, '5', null, 1_000_000_000_001].map((maxCostMicros) => ({ maxCostMicros })),
  ].map((budget): Case => [`a budget of ${JSON.stringify(budget)}`, { budget }, invalid]),
  ['a budget in a currency', { budget: { maxCostMicros: 5, currency: 'USD' } }, invalid],
  ['an unknown way with duplicates', { duplicates: 'last' }, invalid],
  ['a name of nothing', { name: '' }, invalid],
  ['a name that cannot be seen', { name: '\u200b\u200d\u2060' }, invalid],
  ['a name of 121 letters', { name: 'x'.repeat(121) }, invalid],
  ['a status', { status: 'running' }, invalid],
  ['an organization', { organizationId: 'org' }, invalid],
  ['no agent', { agentId: undefined }, invalid],
  [
    'an agent that is not there',
    { agentId: '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47' },
    [404, 'AGENT_NOT_FOUND'],
  ],
  ...[
    '911',
    '112',
    '4155550142',
    '14155550142',
    '+4402079460000',
    '+1',
    '',
    'ANONYMOUS',
    'sip:x@example.com',
  ].map((fromNumber): Case => [`calls from ${JSON.stringify(fromNumber)}`, { fromNumber }, notANumber]),
  ['calls from a number that nobody has here', { fromNumber: '+14155550142' }, notFound],
  ['calls from a premium number', { fromNumber: '+19005550123' }, notFound],
  ['no file', { sourceFileKey: undefined }, invalid],
  ['a file with U+0000 in its key', { sourceFileKey: 'org/\u0000' }, invalid],
  ...['nothing.csv', '/etc/passwd', '../../etc/passwd', 'org/', 'org/../org/x/batches/a.csv', '%2e%2e/x'].map(
    (sourceFileKey): Case => [`the file ${sourceFileKey}`, { sourceFileKey }, noFile],
  ),
];

/** Queries for an upload's address that get none. */
export const uploads: readonly (readonly [string, string])[] = [
  ['people.csv', 'image/png'],
  ['people.csv', 'text/html'],
  ['people.csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['people.csv', ''],
  ['people.xlsx', 'text/csv'],
  ['people.xlsx', 'application/zip'],
  ['people.xls', 'application/vnd.ms-excel'],
  ['people.csv.exe', 'text/csv'],
  ['people', 'text/csv'],
  ['people.csv\u0000', 'text/csv'],
  ['', 'text/csv'],
  [`${'x'.repeat(252)}.csv`, 'text/csv'],
];

/** Bodies that the suppression list refuses. */
export const suppressions: readonly Case[] = [
  ['no numbers', { phoneNumbers: [] }, invalid],
  [
    '1,001 numbers',
    { phoneNumbers: Array.from({ length: 1_001 }, (_, n) => `+1415556${String(n).padStart(4, '0')}`) },
    invalid,
  ],
  ['a number instead of a list', { phoneNumbers: '+14155550170' }, invalid],
  ['911', { phoneNumbers: ['911'] }, notANumber],
  ['one bad number among good ones', { phoneNumbers: ['+14155550170', '4155550171'] }, notANumber],
  ['one impossible number among good ones', { phoneNumbers: ['+14155550170', '+1415555'] }, notANumber],
  ['a number that no numbering plan has', { phoneNumbers: ['+14150550100'] }, notANumber],
  ['a number with an extension', { phoneNumbers: ['+14155550170 x1'] }, notANumber],
  ['a reason of 201 letters', { phoneNumbers: ['+14155550170'], reason: 'x'.repeat(201) }, invalid],
];

/** Addresses beside those of campaigns, by method. */
export const routes: readonly (readonly [string, string, Refusal])[] = [
  ['GET', '/outbound-calls/not-a-uuid', invalid],
  ['GET', '/outbound-calls/batches/not-a-uuid', invalid],
  ['GET', '/outbound-calls/batches/status', invalid],
  ['POST', '/outbound-calls/batches/not-a-uuid/cancel', invalid],
  // Not the cancellation of a call named `batches`: a campaign named `cancel`, which is only read.
  ['POST', '/outbound-calls/batches/cancel', [405, 'METHOD_NOT_ALLOWED']],
  ['POST', '/outbound-calls/quick/cancel', invalid],
  ['GET', '/outbound-calls/batches/0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47', [404, 'CAMPAIGN_NOT_FOUND']],
  [
    'POST',
    '/outbound-calls/batches/0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47/cancel',
    [404, 'CAMPAIGN_NOT_FOUND'],
  ],
  ['POST', '/outbound-calls/0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47/cancel', [404, 'OUTBOUND_CALL_NOT_FOUND']],
  ['POST', '/outbound-calls/0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47/retry', [404, 'OUTBOUND_CALL_NOT_FOUND']],
  ['DELETE', '/suppressions/not-a-uuid', invalid],
  ['DELETE', '/suppressions/0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47', [404, 'NOT_FOUND']],
];
