// Where every engine of this run is: named by the environment, else a real one of ours, else a stand-in.
import {
  type Child,
  type Mongod,
  type Nats,
  natsUrlOf,
  type Postgres,
  startMongod,
  startNats,
  startPostgres,
} from '@parlance/engines';
import { startBrowserMedia } from './browser-media.js';
import type { State } from './data-folder.js';
import { type RealMedia, type RealMediaProgram, startRealMedia } from './real-media.js';
import {
  type Choice,
  chooseEngines,
  type EngineOptions,
  egressVariables,
  type Media,
  named,
  practiceOf,
  rememberedPort,
  standInVariables,
} from './stand-in-parts.js';
import { startStandIns } from './stand-ins.js';

export interface Engines {
  readonly postgresAdminUrl: string;
  /** Variables that services are given. */
  readonly variables: Readonly<Record<string, string>>;
  /** NATS for a service, as its own user; as the environment's where that names a server. */
  readonly natsUrlOf: (service: string) => string;
  /** One line each, for people: the engine's name and the program that serves it. */
  readonly summary: readonly (readonly [string, string])[];
  /** Where calls take place. */
  readonly media: Media;
  /** A system of a customer that tools may ask. */
  readonly practice: NonNullable<State['practice']>;
  /** Crashes an engine that we run, for tests of recovery; it comes back by itself. */
  crash(engine: 'postgres' | 'nats' | 'stand-ins' | RealMediaProgram): void;
  stop(): Promise<void>;
}

interface Own {
  readonly postgres: Postgres | undefined;
  readonly nats: Nats | undefined;
  readonly mongod: Mongod | undefined;
  readonly realMedia: RealMedia | undefined;
  readonly standIns: Child | undefined;
}

const startOwnPostgres = async ({ folder, secrets }: EngineOptions): Promise<Postgres> =>
  startPostgres({
    dataDir: folder.directory('postgres'),
    logFile: folder.log('postgres'),
    password: secrets.postgresPassword,
    port: await rememberedPort(folder, 'postgres'),
  });

const startOwnNats = async ({ folder, secrets, cacheDir }: EngineOptions): Promise<Nats> =>
  startNats({
    dataDir: folder.directory('nats'),
    logFile: folder.log('nats'),
    token: secrets.natsToken,
    cacheDir,
    port: await rememberedPort(folder, 'nats'),
  });

const startOwnMongod = async ({ folder }: EngineOptions, binary: string): Promise<Mongod> =>
  startMongod({
    binary,
    dataDir: folder.directory('mongod'),
    logFile: folder.log('mongod'),
    port: await rememberedPort(folder, 'mongod'),
  });

const startMedia = (options: EngineOptions, { realMedia, browserMedia }: Choice) => {
  if (realMedia !== undefined) return startRealMedia(options, realMedia);
  return browserMedia === undefined ? undefined : startBrowserMedia(options, browserMedia);
};

const stopAll = async (engines: readonly ({ stop(): Promise<void> } | undefined)[]): Promise<void> => {
  await Promise.all(engines.map((engine) => engine?.stop()));
};

/** Starts all engines or none: started engines end again when another one could not start. */
const startOwn = async (options: EngineOptions, choice: Choice): Promise<Own> => {
  const { parts } = choice;
  const { folder, secrets } = options;
  const control = { port: await rememberedPort(folder, 'fault-control'), token: secrets.faultControlToken };
  const ledger = folder.directory('ledger.jsonl');
  const starting = [
    named(options, 'POSTGRES_ADMIN_URL') ? undefined : startOwnPostgres(options),
    named(options, 'NATS_URL') ? undefined : startOwnNats(options),
    choice.mongod === undefined ? undefined : startOwnMongod(options, choice.mongod),
    startMedia(options, choice),
    startStandIns(
      { parts, ledger, faultControl: control },
      { log: folder.log('stand-ins'), pid: folder.directory('stand-ins.pid') },
    ),
  ] as const;
  try {
    const [postgres, nats, mongod, realMedia, standIns] = await Promise.all(starting);
    return { postgres, nats, mongod, realMedia, standIns };
  } catch (error) {
    const settled = await Promise.allSettled(starting);
    await stopAll(settled.map((result) => (result.status === 'fulfilled' ? result.value : undefined)));
    throw error;
  }
};

/** The environment's variables for the engines that it names. */
const engineVariables = [
  'NATS_URL',
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'LIVEKIT_URL',
  'LIVEKIT_WS_URL',
  'LIVEKIT_API_KEY',
  'LIVEKIT_API_SECRET',
] as const;

const yours = 'yours, from the environment';
const realHere = 'real server, started here';
const atTheWire = 'stand-in at the wire';

const summaryOf = ({ postgres, nats, mongod, realMedia }: Own, { parts }: Choice): Engines['summary'] => [
  ['Postgres', postgres ? realHere : yours],
  ['NATS', nats ? realHere : yours],
  ['EventStoreDB', parts.eventStore ? atTheWire : yours],
  ['MongoDB', mongod ? realHere : parts.mongo ? atTheWire : yours],
  ['S3', parts.s3 ? atTheWire : yours],
  ...(realMedia?.summary ?? [
    ['LiveKit', parts.liveKit ? `${atTheWire}, with simulated people` : yours] as const,
  ]),
  ['Twilio', parts.twilio ? `${atTheWire}, nothing is really bought` : yours],
  ['Telnyx', parts.telnyx ? `${atTheWire}, nothing is really bought` : yours],
  ['E-mail', parts.mail ? `nothing is sent; each mail is a file in ${parts.mail.dataDir}` : yours],
  ['A practice', `system of a customer, for tools: ${practiceOf(parts).url}`],
];

const variablesOf = (options: EngineOptions, choice: Choice, own: Own): Record<string, string> => {
  const variables = {
    ...Object.fromEntries(engineVariables.map((variable) => [variable, named(options, variable) ?? ''])),
    ...standInVariables(choice.parts),
    ...(own.mongod && { MONGODB_URL: own.mongod.url }),
    ...own.realMedia?.variables,
    ...egressVariables(options, choice.parts),
    VOICE_AGENT_NAME: options.agentName,
    // No browser can join the rooms of the stand-in.
    BROWSER_VOICE: named(options, 'BROWSER_VOICE') ?? (choice.parts.liveKit === undefined ? 'on' : 'off'),
  };
  // A trunk that the environment names is one of another LiveKit than those that are started here.
  const isStartedHere = choice.parts.liveKit !== undefined || own.realMedia !== undefined;
  const trunk = isStartedHere ? '' : named(options, 'SIP_OUTBOUND_TRUNK_ID');
  return { ...variables, SIP_OUTBOUND_TRUNK_ID: trunk ?? '' };
};

/** Brings up every engine that the environment does not name; when one cannot start, none is left running. */
export const startEngines = async (options: EngineOptions): Promise<Engines> => {
  const choice = await chooseEngines(options);
  const own = await startOwn(options, choice);
  const stop = async (): Promise<void> => {
    await own.standIns?.stop();
    await stopAll([own.mongod, own.realMedia, own.nats, own.postgres]);
  };
  try {
    const variables = variablesOf(options, choice, own);
    return {
      postgresAdminUrl: own.postgres?.adminUrl ?? named(options, 'POSTGRES_ADMIN_URL') ?? '',
      variables,
      natsUrlOf: (service) =>
        own.nats === undefined ? (named(options, 'NATS_URL') ?? '') : natsUrlOf(own.nats.url, service),
      summary: summaryOf(own, choice),
      media: choice.media,
      practice: practiceOf(choice.parts),
      crash: (engine) => {
        const { postgres, nats, standIns, realMedia } = own;
        const crashMedia = (program: RealMediaProgram) =>
          realMedia && { crash: () => realMedia.crash(program) };
        const running =
          engine === 'postgres'
            ? postgres
            : engine === 'nats'
              ? nats
              : engine === 'stand-ins'
                ? standIns
                : crashMedia(engine);
        if (running === undefined) throw new Error(`${engine} is not run by this platform`);
        running.crash();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
