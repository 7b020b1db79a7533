// Records an execution: in its row, and in an announcement for the record of the call. An execution does not fail
// because its recording fails, so the recording is tried again for a while.
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ExecutedTool,
  events,
  shownResult,
  type ToolParameter,
  type ToolResult,
} from '@parlance/contracts';
import { stringifyJson } from '@parlance/json';
import { announce, isRemoved, type Tx } from '@parlance/postgres';
import { type RedactionOptions, redactJson } from '@parlance/redaction';
import { mask } from '@parlance/webhooks';
import type { Parts } from '../parts.js';
import type { Json } from './arguments.js';
import { cutText } from './read-answer.js';
import { type EndedOfCall, type EndedRun, endLostRuns, endRun, type StartedRun } from './runs-repository.js';

const maxBytes = 4_096;
const maxCharactersOfOne = 256;

const shortened = (value: Json): Json => {
  const text = typeof value === 'string' ? value : stringifyJson(value);
  return text.length <= maxCharactersOfOne ? value : `${cutText(text, maxCharactersOfOne)}…`;
};

/** The arguments as records show them: sensitive values masked, unknown names left out, at most 4 KiB in all. */
export const redacted = (
  parameters: readonly ToolParameter[],
  given: Readonly<Record<string, Json>>,
): Record<string, Json> => {
  const shown: Record<string, Json> = {};
  let bytes = 2;
  for (const { name, sensitive, source } of parameters) {
    const value = source === 'model' && Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) continue;
    const entry = sensitive === true ? mask : shortened(value);
    bytes += Buffer.byteLength(stringifyJson({ [name]: entry }));
    if (bytes > maxBytes) break;
    shown[name] = entry;
  }
  return shown;
};

type Recording = Pick<Parts, 'db' | 'clock' | 'ids' | 'seals' | 'logger'>;

/** The arguments of an execution, and what records of it hide. */
interface Shown {
  readonly args: Record<string, Json>;
  readonly redaction: () => Promise<RedactionOptions | undefined>;
}

type Announced = Pick<EndedRun, 'status' | 'httpStatus' | 'durationMs'> & {
  readonly answer?: ToolResult | null;
};

/** The execution, as the record of its call gets it. */
export const executedTool = (
  callId: string,
  { toolName: name, startedAt, answer, assignments, shownArguments, ...run }: EndedOfCall,
): ExecutedTool => ({
  ...run,
  callId,
  name,
  arguments: shownArguments ?? {},
  startedAt: startedAt.toISOString(),
  ...(answer === null ? {} : { result: shownResult(answer.result) }),
  ...(assignments === null ? {} : { assignments }),
});

const tell = (
  tx: Tx,
  parts: Recording,
  {
    organizationId,
    callId,
    executionId,
    agentId,
    toolId,
    toolName,
    startedAt,
  }: Omit<StartedRun, 'requestHash'>,
  { status, httpStatus, durationMs, answer = null }: Announced,
  shownArguments: Record<string, Json>,
): Promise<void> =>
  announce(
    tx,
    parts,
    events.toolExecuted,
    organizationId,
    executedTool(callId, {
      ...{ executionId, agentId, toolId, toolName, startedAt, status, httpStatus, durationMs },
      ...{ answer, assignments: answer?.assignments ?? null, shownArguments },
    }),
  );

const record = (
  parts: Recording,
  run: StartedRun,
  ended: EndedRun,
  args: Record<string, Json>,
): Promise<void> =>
  parts.db.transaction(async (tx) => {
    if (await isRemoved(tx, run.organizationId)) return;
    if (await endRun(tx, run, ended, args)) await tell(tx, parts, run, ended, args);
  });

const pausesMs = [200, 1_000, 5_000, 15_000, 30_000];

/**
 * What is recorded where the agent's configuration hides personal data. The runtime has the answer already; a repetition of the
 * execution gets the recorded one.
 */
const hidden = async (
  ended: EndedRun,
  { args, redaction }: Shown,
): Promise<readonly [EndedRun, Record<string, Json>]> => {
  const options = await redaction();
  if (options === undefined) return [ended, args];
  const result = redactJson(ended.answer.result, options) as Json; // the same shape
  return [
    { ...ended, answer: { ...ended.answer, result } },
    redactJson(args, options) as Record<string, Json>,
  ];
};

/** Resolves with true when the execution is recorded, and with false after the last try failed. */
export const recordRun = async (
  parts: Recording,
  run: StartedRun,
  answered: EndedRun,
  shown: Shown,
): Promise<boolean> => {
  const [ended, args] = await hidden(answered, shown);
  for (const pauseMs of [...pausesMs, 0]) {
    try {
      await record(parts, run, ended, args);
      return true;
    } catch (err) {
      const { executionId, callId } = run;
      parts.logger.warn({ err, executionId, callId }, 'an execution of a tool is not recorded yet');
      await delay(pauseMs, undefined, { ref: false });
    }
  }
  return false;
};

/** Records the executions whose process died while they ran. Their arguments are not known any more. */
export const recordLostRuns = async (parts: Recording): Promise<void> => {
  await parts.db.transaction(async (tx) => {
    for (const run of await endLostRuns(tx)) await tell(tx, parts, run, run, {});
  });
};
