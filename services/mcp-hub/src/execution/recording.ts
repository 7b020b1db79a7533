// Records the end of an execution: in its row, and in an announcement for the record of its call. An execution does not fail
// because its recording fails, so the recording is tried again for a while.
import { setTimeout as delay } from 'node:timers/promises';
import { events, type McpTool, shownResult } from '@parlance/contracts';
import { stringifyJson } from '@parlance/json';
import { announce, isRemoved, type Tx } from '@parlance/postgres';
import { redactJson } from '@parlance/redaction';
import type { Host, PersonalDataOfAgents } from '@parlance/service-host';
import {
  type EndedExecution,
  endExecution,
  endLostExecutions,
  type LostExecution,
  type StartedExecution,
} from './executions-repository.js';
import { toToolResult } from './results.js';

export type Arguments = McpTool['inputSchema'];

type Recording = Pick<Host, 'db' | 'clock' | 'ids' | 'seals' | 'logger'>;

export interface RecordingOptions {
  readonly host: Recording;
  readonly personalData: Pick<PersonalDataOfAgents, 'optionsFor'>;
}

const maxBytes = 4_096;
const maxCharactersOfOne = 256;

const shortened = (value: Arguments[string]): Arguments[string] => {
  const text = typeof value === 'string' ? value : stringifyJson(value);
  if (text.length <= maxCharactersOfOne) return value;
  return `${text.slice(0, maxCharactersOfOne).replace(/\p{Surrogate}$/u, '')}…`;
};

/** The arguments as the record of a call shows them: each shortened, at most 4 KiB in all. */
export const shownArguments = (given: Arguments): Arguments => {
  const shown: Record<string, Arguments[string]> = {};
  let bytes = 2;
  for (const [name, value] of Object.entries(given)) {
    const entry = shortened(value);
    bytes += Buffer.byteLength(stringifyJson({ [name]: entry }));
    if (bytes > maxBytes) break;
    shown[name] = entry;
  }
  return shown;
};

/** Executions outside of calls are in no call's record. */
const tell = async (
  tx: Tx,
  host: Recording,
  one: LostExecution & Partial<Pick<EndedExecution, 'answer'>>,
  args: Arguments,
): Promise<void> => {
  const { executionId, callId, agentId, toolId, offeredName: name, status, durationMs } = one;
  if (callId === null || agentId === null) return;
  await announce(tx, host, events.mcpToolExecuted, one.organizationId, {
    ...{ executionId, callId, agentId, toolId, name, arguments: args, status, httpStatus: null, durationMs },
    startedAt: one.startedAt.toISOString(),
    ...(one.answer === undefined ? {} : { result: shownResult(toToolResult(one.answer).result) }),
  });
};

const record = async (
  host: Recording,
  one: StartedExecution,
  ended: EndedExecution,
  args: Arguments,
): Promise<void> => {
  // An execution outside of calls needs no announcement, so one statement is enough.
  if (one.callId === null) return void (await endExecution(host.db, one, ended));
  await host.db.transaction(async (tx) => {
    if (await isRemoved(tx, one.organizationId)) return;
    if (await endExecution(tx, one, ended)) await tell(tx, host, { ...one, ...ended }, args);
  });
};

const pausesMs = [200, 1_000, 5_000, 15_000, 30_000, 0];

/**
 * What is recorded where the agent's configuration hides personal data. The runtime has the answer already; a repetition of the
 * execution gets the recorded one.
 */
const hidden = async (
  { host: { ids }, personalData }: RecordingOptions,
  { organizationId, agentId }: StartedExecution,
  ended: EndedExecution,
  args: Arguments,
): Promise<readonly [EndedExecution, Arguments]> => {
  const options =
    agentId === null
      ? undefined
      : await personalData.optionsFor({ organizationId, agentId, requestId: ids.next() });
  if (options === undefined) return [ended, args];
  const answer =
    'result' in ended.answer ? { result: redactJson(ended.answer.result, options) } : ended.answer;
  // The same shapes.
  return [{ ...ended, answer } as EndedExecution, redactJson(args, options) as Arguments];
};

/** Resolves when the execution is recorded, or after the last try failed: the round for lost executions ends it then. */
export const recordExecution = async (
  options: RecordingOptions,
  one: StartedExecution,
  answered: EndedExecution,
  given: Arguments,
): Promise<void> => {
  const [ended, args] = await hidden(options, one, answered, given);
  for (const pauseMs of pausesMs) {
    try {
      return await record(options.host, one, ended, args);
    } catch (err) {
      const { executionId, callId } = one;
      options.host.logger.warn(
        { err, executionId, callId },
        'an execution of an MCP tool is not recorded yet',
      );
      await delay(pauseMs, undefined, { ref: false });
    }
  }
};

/** Records the executions whose process died while they ran. Their arguments are not known any more. */
export const recordLostExecutions = async (host: Recording): Promise<void> => {
  await host.db.transaction(async (tx) => {
    for (const one of await endLostExecutions(tx)) await tell(tx, host, one, {});
  });
};
