// npm run bench -- idle: the cost of a platform that nobody uses, by process. Processor time and memory are read first, because
// counting statements and messages costs some of both.
import { setTimeout as pause } from 'node:timers/promises';
import { countMessages } from '../harness/broker-messages.js';
import { residentMebibytes, startMeasuredPlatform } from '../harness/measured-platform.js';
import { processorMs, sumOf, usedSince } from '../harness/processor-time.js';
import { tell } from '../harness/report.js';
import { connectionsOf, countStatements } from '../harness/statement-log.js';
import { type Idle, showIdle } from './show.js';

export interface IdleBenchOptions {
  /** The length of each of the two measurements. */
  readonly seconds: number;
}

/** Processes are quiet after a minute without writes; until then they work on what the start left. */
const settlesWithinMs = 100_000;

const measure = async (
  platform: Awaited<ReturnType<typeof startMeasuredPlatform>>,
  seconds: number,
): Promise<Idle> => {
  const { pids, adminUrl, natsUrl, postgresLog, startSeconds, restartSeconds } = platform;
  const startMs = sumOf(processorMs(pids));
  tell(`ready again after ${restartSeconds.toFixed(1)} s; the platform settles`);
  await pause(settlesWithinMs);
  tell(`processor time and memory over ${seconds} s`);
  const before = processorMs(pids);
  await pause(seconds * 1_000);
  // Milliseconds in so many seconds: a percent is ten in each.
  const percents = usedSince(before, processorMs(pids), seconds * 10);
  const memory = await residentMebibytes(pids);
  const connections = await connectionsOf(adminUrl);
  tell(`statements and messages over ${seconds} s`);
  const { statements, result } = await countStatements(adminUrl, postgresLog, () =>
    countMessages(natsUrl, () => pause(seconds * 1_000)),
  );
  const { messages } = result;
  const ready = { startSeconds, restartSeconds, restartMs: startMs };
  return { seconds, percents, memory, connections, statements, messages, ready };
};

/** Starts a platform of its own on fresh data, does nothing with it, measures and prints. */
export const benchIdle = async ({ seconds }: IdleBenchOptions): Promise<void> => {
  const platform = await startMeasuredPlatform();
  try {
    showIdle(await measure(platform, seconds));
  } finally {
    await platform.stop();
  }
};
