// The distance of a service's projections and other followers behind the event store: its checkpoints in Postgres beside the
// streams. The service names the categories that they follow.
import { Secret } from '@parlance/config';
import { createDatabase } from '@parlance/postgres';
import { type Check, defineCheck, type FindingKind, type Looking } from '../probe/check.js';

const findings = {
  CHECKPOINT_BEHIND: {
    severity: 'broken',
    says: 'A projection or another follower is behind the event store.',
    advice:
      'Look at the log of the service, and at the engine that the projection writes to. It goes on at its checkpoint by itself.',
    link: 'docs/runbooks/projection-lags.md',
  },
} as const satisfies Readonly<Record<string, FindingKind>>;
type Code = keyof typeof findings;

/** A projection or another follower. */
export interface Follower {
  /** Name of its checkpoint. */
  readonly id: string;
  /** The category of the streams that it follows. */
  readonly category: string;
}

export interface CheckpointsOptions {
  /** The service, such as `calls-logs`. */
  readonly of: string;
  /** All that follow streams in the service. Loaded late, because they come with the code of the service. */
  readonly followers: () => Promise<readonly Follower[]>;
}

const behindAfterMs = 60_000;

interface Row {
  readonly id: string;
  readonly position: string;
}

const lookAt = async (looking: Looking<Code>, rows: readonly Row[], followers: readonly Follower[]) => {
  const { connectEventStore, oldestAhead } = await import('@parlance/event-sourcing');
  const url = new Secret(looking.variables.EVENTSTORE_URL ?? '');
  const store = connectEventStore({ url, name: 'doctor', deadlineMs: 4_000 });
  try {
    for (const { id, category } of followers) {
      const row = rows.find((one) => one.id === id);
      // The service makes the row when it starts for the first time.
      if (row === undefined) continue;
      const oldest = await oldestAhead(store, category, BigInt(row.position));
      const waitsMs = oldest === undefined ? 0 : looking.machine.now() - oldest.created.getTime();
      if (waitsMs > behindAfterMs)
        looking.found('CHECKPOINT_BEHIND', {
          subject: id,
          seen: `The oldest event that it has not handled is ${Math.round(waitsMs / 1_000)} seconds old.`,
        });
    }
  } finally {
    await store.close();
  }
};

export const checkpointsCheck = ({ of, followers }: CheckpointsOptions): Check =>
  defineCheck<Code>({
    name: `checkpoints-of-${of}`,
    about: 'Projections and other followers have handled every event that is older than a minute.',
    of,
    needs: ['POSTGRES_URL', 'EVENTSTORE_URL'],
    findings,
    load: () => Promise.all([import('@parlance/event-sourcing'), followers()]),
    look: async (looking) => {
      const url = new Secret(looking.variables.POSTGRES_URL ?? '');
      const db = createDatabase({ url, applicationName: 'doctor', max: 1, connectTimeoutMs: 4_000 });
      const own = await followers();
      try {
        const { rows } = await db.query<Row>(
          'select id, position::text as position from projection_checkpoints where id = any($1)',
          [own.map(({ id }) => id)],
        );
        await lookAt(looking, rows, own);
        looking.note(`${rows.length} checkpoints were compared with the event store.`);
      } finally {
        await db.end();
      }
    },
  });
