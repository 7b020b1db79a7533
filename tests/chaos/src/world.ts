// The surroundings of dialers, once per experiment: streams, tables, a broker and phones that no other experiment
// touches. So every trace found there was caused there.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Secret } from '@parlance/config';
import { startNats } from '@parlance/engines';
import { startEventStore } from '@parlance/fake-eventstore';
import type { LiveKitFaults } from '@parlance/fake-livekit';
import { startS3 } from '@parlance/fake-s3';
import { callerVariables, withoutDialLimits } from '@parlance/fixtures';
import { createMediaRooms, type MediaRooms } from '@parlance/media-rooms';
import { createLogger } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/postgres';
import { connectNats } from '@parlance/rpc';
import type { NatsConnection } from 'nats';
import { CallLog } from './call-log.js';
import { type DialerOptions, type DialerProcess, spawnDialer } from './dialer-process.js';
import type { ChaosEngines } from './engines.js';
import { type Answer, type Evidence, gatherEvidence } from './evidence/evidence.js';
import { Presence } from './evidence/presence.js';
import { startRealMedia, startSimulatedMedia } from './media-server.js';
import { playNeighbours } from './neighbours.js';

export interface World {
  readonly name: string;
  /** The variables that every service is given. */
  readonly variables: Readonly<Record<string, string>>;
  readonly nats: NatsConnection;
  readonly db: Database;
  readonly rooms: MediaRooms;
  readonly callLog: CallLog;
  /** The answers to people, as they come. */
  readonly answers: Answer[];
  readonly presence: Presence;
  startDialer(options?: Partial<Omit<DialerOptions, 'logFile'>>): DialerProcess;
  evidence(): Promise<Evidence>;
  /** Ends every dialer and everything around them. */
  stop(): Promise<void>;
}

interface Part {
  stop(): Promise<unknown>;
}

const bucket = 'parlance';

const startStorage = async (dataDir: string) => {
  const credentials = { accessKeyId: 'chaos', secretAccessKey: randomBytes(16).toString('hex') };
  const storage = await startS3({ dataDir, buckets: [bucket], ...credentials });
  const variables = {
    OBJECT_STORAGE_URL: storage.url,
    OBJECT_STORAGE_BUCKET: bucket,
    OBJECT_STORAGE_ACCESS_KEY_ID: credentials.accessKeyId,
    OBJECT_STORAGE_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  return { storage, variables };
};

const secrets = (): Record<string, string> => ({
  ...callerVariables('outbound-dialer'),
  KEK_ID: 'kek-1',
  KEK: randomBytes(32).toString('base64'),
  CURSOR_KEY: randomBytes(32).toString('base64'),
});

/** @param name letters, digits and dashes; of this run's worlds no other has it */
export const startWorld = async (
  engines: ChaosEngines,
  name: string,
  faults: LiveKitFaults,
): Promise<World> => {
  const directory = join(engines.directory, name);
  mkdirSync(directory, { recursive: true });
  const parts: Part[] = [];
  const own = <T extends Part>(part: T): T => {
    parts.unshift(part);
    return part;
  };
  const broker = own(
    await startNats({
      dataDir: join(directory, 'nats'),
      logFile: join(directory, 'nats.log'),
      cacheDir: engines.cacheDir,
      token: randomBytes(12).toString('hex'),
    }),
  );
  const store = own(await startEventStore({ dataDir: join(directory, 'events'), fsync: false }));
  const nats = await connectNats({ url: broker.url, name: 'chaos' });
  own({ stop: () => nats.close() });
  const callLog = new CallLog(nats);
  await playNeighbours(nats, callLog);
  const mediaParts = { dataDir: directory, faults, callLog };
  const media = own(
    await (engines.media === 'simulated'
      ? startSimulatedMedia(mediaParts)
      : startRealMedia(mediaParts, engines.media)),
  );
  const files = await startStorage(join(directory, 'files'));
  own(files.storage);
  const postgresUrl = await engines.databaseFor(name, 'outbound-dialer');
  const db = createDatabase({ url: postgresUrl, applicationName: 'chaos', max: 1 });
  own({ stop: () => db.end() });
  const variables = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'warn',
    NATS_URL: broker.url,
    EVENTSTORE_URL: store.connectionString,
    POSTGRES_URL: postgresUrl.reveal(),
    POSTGRES_POOL_MAX: '6',
    ...withoutDialLimits,
    ...secrets(),
    ...media.variables,
    ...files.variables,
  };
  const logger = createLogger({ service: 'chaos', level: 'silent' });
  const eventStoreUrl = new Secret(store.connectionString);
  const answers: Answer[] = [];
  const presence = new Presence();
  return {
    name,
    variables,
    nats,
    db,
    rooms: createMediaRooms(mediaEnv(media.variables), { logger }),
    callLog,
    answers,
    presence,
    startDialer: (options = {}) => {
      const logFile = join(directory, 'dialers.log');
      const dialer = spawnDialer({
        ...options,
        variables: { ...variables, ...options.variables },
        logFile,
      });
      presence.watch(dialer);
      own({ stop: () => dialer.kill() });
      return dialer;
    },
    evidence: () => gatherEvidence({ eventStoreUrl, ledgerPath: media.ledgerPath, db, answers, presence }),
    stop: async () => {
      for (const part of parts.splice(0)) await part.stop();
    },
  };
};

const mediaEnv = (variables: Readonly<Record<string, string>>) => ({
  LIVEKIT_URL: variables.LIVEKIT_URL ?? '',
  LIVEKIT_WS_URL: variables.LIVEKIT_WS_URL ?? '',
  LIVEKIT_API_KEY: variables.LIVEKIT_API_KEY ?? '',
  LIVEKIT_API_SECRET: new Secret(variables.LIVEKIT_API_SECRET ?? ''),
  VOICE_AGENT_NAME: 'nobody',
});
