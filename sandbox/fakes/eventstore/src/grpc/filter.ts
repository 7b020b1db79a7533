// Server-side filters over $all: by stream name or event type, by prefix or regular expression.
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { InvalidRequestError } from '../store/errors.js';
import type { LogRecord } from '../store/log-record.js';

/** Records that a checkpoint interval of 1 stands for when the client sets no search window. */
const DEFAULT_SEARCH_WINDOW = 32;

export interface EventFilter {
  matches(record: LogRecord): boolean;
  /** Records to look at between two checkpoints; Infinity without a filter. */
  readonly checkpointInterval: number;
}

const EVERYTHING: EventFilter = { matches: () => true, checkpointInterval: Number.POSITIVE_INFINITY };

/** Throws InvalidRequestError for an expression that says nothing or cannot be compiled. */
export function parseFilter(asked: streams.ReadReq.Options.FilterOptions | undefined): EventFilter {
  if (asked === undefined) return EVERYTHING;
  const expression = asked.getStreamIdentifier() ?? asked.getEventType();
  const prefixes = expression?.getPrefixList() ?? [];
  const regex = expression?.getRegex() ?? '';
  if (prefixes.length === 0 && regex === '')
    throw new InvalidRequestError('a filter needs a prefix or a regex');
  const test = prefixes.length > 0 ? startsWithAny(prefixes) : compiled(regex);
  const window = asked.hasMax() ? asked.getMax() : DEFAULT_SEARCH_WINDOW;
  const byStream = asked.hasStreamIdentifier();
  return {
    matches: (record) => test(byStream ? record.stream : record.type),
    checkpointInterval: window * Math.max(1, asked.getCheckpointintervalmultiplier()),
  };
}

const startsWithAny = (prefixes: readonly string[]) => (text: string) =>
  prefixes.some((prefix) => text.startsWith(prefix));

function compiled(source: string): (text: string) => boolean {
  try {
    const regex = new RegExp(source);
    return (text) => regex.test(text);
  } catch (cause) {
    throw new InvalidRequestError(`the filter's regex cannot be compiled: ${String(cause)}`);
  }
}
