// Constants and checks that reads of $all share with subscriptions to it.
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { InvalidRequestError } from '../store/errors.js';
import type { LogReader } from '../store/log-reader.js';

/** Bytes of log that a read of $all takes from disk at a time. */
export const ALL_WINDOW_BYTES = 128 * 1024;
/** Records that may be skipped in one go before other calls get their turn. */
export const SKIPS_PER_TURN = 1000;

/** The position to begin at, 0 for the start; throws InvalidRequestError where no record starts. */
export function askedPosition(
  reader: LogReader,
  asked: streams.ReadReq.Options.AllOptions | undefined,
): number {
  const position = Number(asked?.getPosition()?.getCommitPosition() ?? 0);
  if (!reader.isBoundary(position)) throw new InvalidRequestError(`no event starts at position ${position}`);
  return position;
}
