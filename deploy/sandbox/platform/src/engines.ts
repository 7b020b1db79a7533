// Where every engine of this run is: named by the environment, else a real one of ours, else a stand-in.
import {
  type Child,
  type Mongod,
  type Nats,
  type Postgres,
  startMongod,
  startNats,
  startPostgres,
} from '@parlance/sandbox-engines';
import { SipClient } from 'livekit-server-sdk';
import {
  type Choice,
  chooseEngines,
  type EngineOptions,
  named,
  rememberedPort,
  standInVariables,
} from './stand-in-parts.js';
import { startStandIns } from './stand-ins.js';

export interface Engines {
  readonly postgresAdminUrl: string;
  /** Variables that services are given. */
  readonly variables: Readonly<Record<string, string>>;
  /** One line each, for people: name and what serves it. */
  readonly summary: readonly (readonly [string, string])[];
  /** Crashes an engine that we run, for tests of recovery; it comes back by itself. */
  crash(engine: 'postgres' | 'nats' | 'stand-ins'): void;
  stop(): Promise<void>;
}

interface Own {
  readonly postgres: Postgres | undefined;
  readonly nats: Nats | undefined;
  readonly mongod: Mongod | undefined;
  readonly standIns: Child | undefined;
}

/** A LiveKit server dials out through a trunk; one is made where there is none. */
const outboundTrunk = async (variables: Record<string, string>): Promise<string> => {
  const sip = new SipClient(
    variables.LIVEKIT_URL ?? '',
    variables.LIVEKIT_API_KEY,
    variables.LIVEKIT_API_SECRET,
  );
  const [existing] = await sip.listSipOutboundTrunk();
  const trunk = existing ?? (await sip.createSipOutboundTrunk('simulated', 'sip.simulated.invalid', ['*']));
  return trunk.sipTrunkId;
};

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

const startOwn = async (options: EngineOptions, { parts, mongod }: Choice): Promise<Own> => {
  const { folder, secrets } = options;
  const control = { port: await rememberedPort(folder, 'fault-control'), token: secrets.faultControlToken };
  const ledger = folder.directory('ledger.jsonl');
  const [postgres, nats, mongo, standIns] = await Promise.all([
    named(options, 'POSTGRES_ADMIN_URL') ? undefined : startOwnPostgres(options),
    named(options, 'NATS_URL') ? undefined : startOwnNats(options),
    mongod === undefined
      ? undefined
      : startMongod({
          binary: mongod,
          dataDir: folder.directory('mongod'),
          logFile: folder.log('mongod'),
          port: await rememberedPort(folder, 'mongod'),
        }),
    startStandIns(
      { parts, ledger, faultControl: control },
      { log: folder.log('stand-ins'), pid: folder.directory('stand-ins.pid') },
    ),
  ]);
  return { postgres, nats, mongod: mongo, standIns };
};

/** What the environment says of engines, for those that it names. */
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

const summaryOf = ({ postgres, nats, mongod }: Own, { parts }: Choice): Engines['summary'] => [
  ['Postgres', postgres ? realHere : yours],
  ['NATS', nats ? realHere : yours],
  ['EventStoreDB', parts.eventStore ? atTheWire : yours],
  ['MongoDB', mongod ? realHere : parts.mongo ? atTheWire : yours],
  ['S3', parts.s3 ? atTheWire : yours],
  ['LiveKit', parts.liveKit ? `${atTheWire}, with simulated people` : yours],
  ['Twilio', parts.twilio ? `${atTheWire}, nothing is really bought` : yours],
  ['Telnyx', parts.telnyx ? `${atTheWire}, nothing is really bought` : yours],
];

/** Brings up whatever the environment does not name. */
export const startEngines = async (options: EngineOptions): Promise<Engines> => {
  const choice = await chooseEngines(options);
  const own = await startOwn(options, choice);
  const variables: Record<string, string> = {
    ...Object.fromEntries(engineVariables.map((variable) => [variable, named(options, variable) ?? ''])),
    ...standInVariables(choice.parts),
    ...(own.nats && { NATS_URL: own.nats.url }),
    ...(own.mongod && { MONGODB_URL: own.mongod.url }),
    VOICE_AGENT_NAME: options.agentName,
  };
  variables.SIP_OUTBOUND_TRUNK_ID =
    named(options, 'SIP_OUTBOUND_TRUNK_ID') ?? (await outboundTrunk(variables));
  return {
    postgresAdminUrl: own.postgres?.adminUrl ?? named(options, 'POSTGRES_ADMIN_URL') ?? '',
    variables,
    summary: summaryOf(own, choice),
    crash: (engine) => {
      const child = { postgres: own.postgres, nats: own.nats, 'stand-ins': own.standIns }[engine];
      if (child === undefined) throw new Error(`${engine} is not run by this platform`);
      child.crash();
    },
    stop: async () => {
      await own.standIns?.stop();
      await Promise.all([own.mongod?.stop(), own.nats?.stop(), own.postgres?.stop()]);
    },
  };
};
