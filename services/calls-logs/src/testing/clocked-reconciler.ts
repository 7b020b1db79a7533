// For tests: a reconciler on a clock that the test sets, beside the one of the running service.
import { createPersonalData, keyringOf, pgSubjectKeys } from '@parlance/crypto';
import { connectEventStore } from '@parlance/event-sourcing';
import type { Participant } from '@parlance/media-rooms';
import { createLogger, systemIds } from '@parlance/observability';
import { createDatabase } from '@parlance/postgres';
import { platformCaller } from '@parlance/rpc';
import { AgentNames } from '../agent-names.js';
import { callsIn } from '../call/call-repository.js';
import { startReconciler } from '../reconcile/reconciler.js';
import { BrowserCalls } from '../rooms/browser-calls.js';
import type { World } from './world.js';

export interface ClockedReconciler {
  /** The lead of its clock, in milliseconds. */
  aheadMs: number;
  /** The participants of each room. */
  readonly participants: Map<string, readonly Participant[]>;
  stop(): Promise<void>;
}

/** Looks at everything many times a second, by its own clock. */
export const startClockedReconciler = (world: World): ClockedReconciler => {
  const { env, rpc } = world;
  const logger = createLogger({ service: 'test', level: 'silent' });
  const db = createDatabase({ url: env.POSTGRES_URL, applicationName: 'test', max: 4 });
  const keyring = keyringOf(env);
  const personalData = createPersonalData({ keyring, store: pgSubjectKeys(db) });
  const store = connectEventStore({ url: env.EVENTSTORE_URL, name: 'test', personalData });
  const callerFor = (organizationId: string) => platformCaller('calls-logs', organizationId);
  const participants: ClockedReconciler['participants'] = new Map();
  const controls = { aheadMs: 0, participants };
  const reconciler = startReconciler({
    parts: {
      ...{ db, rpc, callerFor, ids: systemIds, calls: callsIn(store) },
      browserCalls: new BrowserCalls({ db, keyring }),
      agentNames: new AgentNames({ rpc, callerFor, nameBefore: async () => undefined }),
      rooms: {
        deleteRoom: (name) => world.rooms.deleteRoom(name),
        rooms: () => world.rooms.rooms(),
        participants: async (room) => [...(participants.get(room) ?? [])],
      },
      clock: { now: () => new Date(Date.now() + controls.aheadMs) },
    },
    logger,
    overdueEveryMs: 25,
    compareEveryMs: 25,
  });
  return Object.assign(controls, {
    stop: async () => {
      await reconciler.stop();
      await store.close();
      await db.end();
    },
  });
};
