// The checks of a finished call beyond its schema refuse times and quantities that no call can have. Such values would
// later be too large for a clock, a sum or a column.
import { type IngestInput, maxTranscriptTurns } from '@parlance/contracts';
import { AppError, type Issue, validationError } from '@parlance/errors';
import { isKeyOfCall } from '../call/recording-keys.js';
import { unpriceable } from './pricing.js';

const earliest = Date.parse('2000-01-01T00:00:00.000Z');
const latest = Date.parse('2100-01-01T00:00:00.000Z');
/** A call is over after a day, as its duration says in the contract. */
const longestMs = 24 * 60 * 60 * 1_000;
/** The largest quantity: far more than a call can use, and every price of it is still a whole number. */
const maxQuantity = 1_000_000_000;
const maxIssues = 20;

const issue = (path: string, message: string): Issue => ({ path: `body.${path}`, code: 'custom', message });

const isMoment = (text: string): boolean => {
  const at = Date.parse(text);
  return at >= earliest && at < latest;
};

const timeIssues = (body: IngestInput): Issue[] => {
  const { startedAt, answeredAt, endedAt } = body;
  const told = Object.entries({ startedAt, answeredAt, endedAt });
  const issues = told.flatMap(([name, at]) =>
    !at || isMoment(at) ? [] : [issue(name, 'must be in a year from 2000 to 2099')],
  );
  if (Date.parse(endedAt) - Date.parse(answeredAt ?? startedAt) > longestMs)
    issues.push(issue('endedAt', 'must not be more than a day after the call began'));
  return issues;
};

type Turn = IngestInput['transcript'][number];

const turnIssues = (turn: Turn, index: number, seen: Set<number>): Issue[] => {
  const at = (name: string, message: string): Issue => issue(`transcript.${index}.${name}`, message);
  const issues: Issue[] = [];
  if (seen.has(turn.seq)) issues.push(at('seq', 'is there already'));
  seen.add(turn.seq);
  for (const name of ['startMs', 'endMs'] as const)
    if ((turn[name] ?? 0) > longestMs) issues.push(at(name, 'must not be more than a day'));
  if (turn.createdAt !== undefined && !isMoment(turn.createdAt))
    issues.push(at('createdAt', 'must be in a year from 2000 to 2099'));
  return issues;
};

const usageIssues = (usage: IngestInput['usage']): Issue[] => [
  ...unpriceable(usage).map((index) => issue(`usage.${index}.unit`, 'is not what this kind is counted in')),
  ...usage.flatMap(({ quantity }, index) =>
    quantity > maxQuantity ? [issue(`usage.${index}.quantity`, `must not be more than ${maxQuantity}`)] : [],
  ),
];

/** Readers of the call get links to this file, and it is deleted with the call. So it must not be the file of another call. */
const recordingIssues = ({ organizationId, callId, recording }: IngestInput): Issue[] =>
  !recording || isKeyOfCall(organizationId, callId, recording.storageKey)
    ? []
    : [issue('recording.storageKey', `must be a file in org/${organizationId}/recordings/${callId}/`)];

/** @throws AppError PAYLOAD_TOO_LARGE above the documented number of turns; VALIDATION_ERROR with every reason */
export const check = (body: IngestInput): void => {
  const { transcript, usage } = body;
  if (transcript.length > maxTranscriptTurns)
    throw new AppError('PAYLOAD_TOO_LARGE', { details: { maxTranscriptTurns } });
  const seen = new Set<number>();
  const issues = [
    ...timeIssues(body),
    ...transcript.flatMap((turn, index) => turnIssues(turn, index, seen)),
    ...usageIssues(usage),
    ...recordingIssues(body),
  ];
  if (issues.length > 0) throw validationError(issues.slice(0, maxIssues));
};
