// The time that a process has to finish its work once it was told to leave. The rows of the contract decide: an answer that
// may take five minutes is waited for that long.
import { callables } from './callables.js';
import { type Callable, isOperation, mayAsk } from './operations/operation.js';
import type { ServiceName } from './values/service-name.js';

/** The processes that answer requests. */
export type AnsweringProcess = ServiceName | 'mcp-facade';

/** A request over HTTP has arrived whole within this time, in milliseconds. */
export const arrivalLimitMs = 30_000;

/** The longest wait that an operator may choose for rows that name none. */
export const usualWaitLimitMs = 30_000;

/** The time for all that comes after the last answer: background parts stop one after the other, and connections close. */
const partsLimitMs = 25_000;

/**
 * A download changes nothing, its reader notices the broken connection, and it can be asked for again. So no process stays a
 * quarter of an hour for one.
 */
const isWaitedFor = (row: Callable): boolean => !isOperation(row) || row.download === undefined;

const hasToDoWith = (process: AnsweringProcess, row: Callable): boolean =>
  process === 'mcp-facade'
    ? isOperation(row) && row.mcp.as !== 'none'
    : row.service === process || mayAsk(process, row);

const longestAnswerMs = (process: AnsweringProcess): number => {
  const rows: readonly Callable[] = callables;
  const concerned = rows.filter((row) => isWaitedFor(row) && hasToDoWith(process, row));
  return Math.max(usualWaitLimitMs, ...concerned.map(({ answerWithinMs = 0 }) => answerWithinMs));
};

const servesHttp = (process: AnsweringProcess): boolean => process === 'gateway' || process === 'mcp-facade';

/** The longest time, in milliseconds, that a request may be in a process: its own answers, and those that it waits for. */
export const longestWorkMs = (process: AnsweringProcess): number =>
  longestAnswerMs(process) + (servesHttp(process) ? arrivalLimitMs : 0);

/** The longest time of an orderly stop, in milliseconds. A process without work leaves at once. */
export const stopLimitMsOf = (process: AnsweringProcess): number => longestWorkMs(process) + partsLimitMs;
