// Whether the engines are prepared for a process: its role on Postgres signs in and has its schema, and NATS has the stream.
import type { Secret } from '@parlance/config';
import { administer, eventStreamName } from '@parlance/persistence';
import { connectNats } from '@parlance/rpc';

export interface WaitOptions {
  /** The process's own role. */
  readonly postgresUrl: Secret;
  /** Absent for a process without NATS. */
  readonly natsUrl: string | undefined;
  /** How long to wait, all attempts together. */
  readonly limitMs?: number;
}

const pauseMs = 2_000;

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const schemaIsThere = async (url: Secret): Promise<void> => {
  const db = administer({ url, applicationName: 'wait' });
  try {
    const { rows } = await db.query<{ schema: string | null }>('select current_schema() as schema');
    if (rows[0]?.schema == null) throw new Error('the role has no schema on Postgres');
  } finally {
    await db.end();
  }
};

const streamIsThere = async (url: string): Promise<void> => {
  const nats = await connectNats({ url, name: 'wait' });
  try {
    const manager = await nats.jetstreamManager();
    await manager.streams.info(eventStreamName);
  } finally {
    await nats.close();
  }
};

/** One attempt after the other, until one succeeds or the time is over. */
const attempts = async (check: () => Promise<void>, signal: AbortSignal, note: (reason: string) => void) => {
  while (!signal.aborted) {
    try {
      await check();
      return;
    } catch (error) {
      note(error instanceof Error ? error.message : String(error));
      await sleep(pauseMs);
    }
  }
};

/**
 * Returns as soon as everything is there.
 * @throws Error with what was missing last, after five minutes unless told otherwise
 */
export const waitUntilPrepared = async ({
  postgresUrl,
  natsUrl,
  limitMs = 300_000,
}: WaitOptions): Promise<void> => {
  const signal = AbortSignal.timeout(limitMs);
  let missing = 'Postgres does not answer';
  const note = (reason: string): void => {
    missing = reason;
  };
  const prepared = async (): Promise<void> => {
    await attempts(() => schemaIsThere(postgresUrl), signal, note);
    // its client waits for a server that is away, and says nothing meanwhile
    note('NATS does not answer');
    if (natsUrl !== undefined) await attempts(() => streamIsThere(natsUrl), signal, note);
  };
  const over = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`the engines are not prepared: ${missing}`)));
  });
  await Promise.race([prepared(), over]);
};
