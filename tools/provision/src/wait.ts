// Whether the engines are prepared for a process. Then its role on Postgres signs in and has its schema, and NATS has the
// stream.
import type { Secret } from '@parlance/config';
import { administer, eventStreamName } from '@parlance/postgres';
import { connectNats } from '@parlance/rpc';
import { untilItSucceeds } from './again.js';

export interface WaitOptions {
  /** The process's own role. */
  readonly postgresUrl: Secret;
  /** Absent for a process without NATS. */
  readonly natsUrl: string | undefined;
  /** The longest wait, all attempts together. */
  readonly limitMs?: number;
}

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
  const nats = await connectNats({ url, name: 'wait', waitsForServer: false }).catch((cause: unknown) => {
    throw new Error('NATS does not answer', { cause });
  });
  try {
    // a service may ask for the event stream, and for nothing about the account
    const manager = await nats.jetstreamManager({ checkAPI: false });
    await manager.streams.info(eventStreamName);
  } finally {
    await nats.close();
  }
};

/**
 * Asks until everything is there.
 * @throws Error that names the last missing thing, after five minutes unless told otherwise
 */
export const waitUntilPrepared = async ({
  postgresUrl,
  natsUrl,
  limitMs = 300_000,
}: WaitOptions): Promise<void> => {
  const look = async (): Promise<void> => {
    await schemaIsThere(postgresUrl);
    if (natsUrl !== undefined) await streamIsThere(natsUrl);
  };
  await untilItSucceeds('the engines are not prepared', look, { limitMs });
};
