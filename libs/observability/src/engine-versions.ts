// The first supported release of each engine. A process refuses to start on an older one. A running process reports an
// engine that was exchanged for an older one.
import { StartRefusal } from '@parlance/config';
import type { Logger } from './logging/logger.js';
import type { RunningPart } from './running.js';

/** The one list; docs/operations.md repeats it, and a test holds the two together. */
export const supportedFrom = {
  EventStoreDB: '23.10',
  NATS: '2.9',
  PostgreSQL: '15',
  MongoDB: '7.0',
} as const;
export type Engine = keyof typeof supportedFrom;

const numbersIn = (version: string): readonly number[] =>
  (/\d+(\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);

/** True when a release is no older than the first supported one, which is given with as many numbers as matter. */
export const isSupported = (engine: Engine, version: string): boolean => {
  const found = numbersIn(version);
  const [difference = 0] = numbersIn(supportedFrom[engine])
    .map((wanted, place) => (found[place] ?? 0) - wanted)
    .filter((each) => each !== 0);
  return difference >= 0;
};

/** An engine that has not answered by then is judged by the watch, once it answers. */
const answerWithinMs = 2_000;

const inTime = async (read: () => Promise<string | undefined>): Promise<string | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, answerWithinMs, undefined);
  });
  return Promise.race([read().catch(() => undefined), late]).finally(() => clearTimeout(timer));
};

/**
 * For a process at its start. An engine that does not answer is not judged.
 * @param read asks the server for its version
 * @throws StartRefusal with the version of an engine that is older than the supported versions
 */
export const refuseOldEngine = async (
  engine: Engine,
  read: () => Promise<string | undefined>,
): Promise<void> => {
  const version = await inTime(read);
  if (version === undefined || isSupported(engine, version)) return;
  throw new StartRefusal(
    `${engine} ${version} is older than ${supportedFrom[engine]}, the oldest supported: upgrade it, then start again`,
  );
};

export interface VersionWatchOptions {
  readonly engine: Engine;
  /** Asks the server; undefined while it is not known. */
  readonly read: () => Promise<string | undefined>;
  readonly logger: Logger;
}

/** An engine can be exchanged while this process runs. */
const everyMs = 60_000;
/** The pause until the next question while the engine has not answered yet. */
const againAfterMs = 1_000;

/** Looks at an engine's version until it is stopped. An engine that is too old is logged once, and shows as a trouble. */
export const startVersionWatch = ({ engine, read, logger }: VersionWatchOptions): RunningPart => {
  let known: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const isTooOld = (): boolean => known !== undefined && !isSupported(engine, known);

  const look = async (): Promise<void> => {
    // An engine that does not answer has a check of its own.
    const version = await read().catch(() => undefined);
    if (version !== undefined && version !== known) {
      known = version;
      if (isTooOld())
        logger.warn(
          { engine, version, supportedFrom: supportedFrom[engine] },
          'an engine is older than the supported versions: upgrade it',
        );
    }
    if (isStopped) return;
    timer = setTimeout(() => void look(), version === undefined ? againAfterMs : everyMs);
    timer.unref();
  };
  void look();
  return {
    name: `${engine.toLowerCase()}-version`,
    trouble: () =>
      isTooOld()
        ? `${engine} is older than ${supportedFrom[engine]}, the oldest supported: upgrade it`
        : undefined,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};
