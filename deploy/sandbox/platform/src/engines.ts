// Where every engine of this run is: named by the environment, else a real one of ours, else a stand-in.
import {
  type Child,
  freePort,
  type Nats,
  type Postgres,
  startNats,
  startPostgres,
} from '@parlance/sandbox-engines';
import { SipClient } from 'livekit-server-sdk';
import type { DataFolder, Secrets } from './data-folder.js';
import { type StandIns, startStandIns } from './stand-ins.js';

export interface EngineOptions {
  readonly folder: DataFolder;
  readonly secrets: Secrets;
  readonly gatewayUrl: string;
  readonly agentName: string;
  /** How much faster than life simulated people talk. */
  readonly timeScale: number;
  readonly cacheDir: string;
  readonly source: Readonly<Record<string, string | undefined>>;
}

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

/** The same ports at every start where they are free, so that addresses in a person's notes stay true. */
const rememberedPort = async (folder: DataFolder, name: string): Promise<number> => {
  const port = await freePort(folder.state().ports[name]);
  folder.saveState({ ports: { ...folder.state().ports, [name]: port } });
  return port;
};

const named = (options: EngineOptions, variable: string): string | undefined => {
  const value = options.source[variable];
  return value === undefined || value === '' ? undefined : value;
};

const standInsFor = async (options: EngineOptions): Promise<StandIns> => {
  const { folder, secrets, gatewayUrl } = options;
  const port = (name: string): Promise<number> => rememberedPort(folder, name);
  const parts: StandIns = {};
  if (!named(options, 'EVENTSTORE_URL')) {
    parts.eventStore = { dataDir: folder.directory('eventstore'), port: await port('eventstore') };
  }
  if (!named(options, 'MONGODB_URL')) {
    parts.mongo = { dataDir: folder.directory('mongodb'), port: await port('mongodb') };
  }
  if (!named(options, 'LIVEKIT_URL')) {
    parts.liveKit = {
      dataDir: folder.directory('livekit'),
      port: await port('livekit'),
      apiKey: secrets.liveKitApiKey,
      apiSecret: secrets.liveKitApiSecret,
      webhookUrl: `${gatewayUrl}/hooks/livekit`,
      platformUrl: gatewayUrl,
      internalKey: secrets.internalKey,
      agentName: options.agentName,
      timeScale: options.timeScale,
    };
  }
  return parts;
};

const liveKitVariables = (options: EngineOptions, parts: StandIns): Record<string, string> => {
  const address = parts.liveKit ? `127.0.0.1:${parts.liveKit.port}` : undefined;
  return {
    LIVEKIT_URL: address ? `http://${address}` : (named(options, 'LIVEKIT_URL') ?? ''),
    LIVEKIT_WS_URL: address ? `ws://${address}` : (named(options, 'LIVEKIT_WS_URL') ?? ''),
    LIVEKIT_API_KEY: parts.liveKit?.apiKey ?? named(options, 'LIVEKIT_API_KEY') ?? '',
    LIVEKIT_API_SECRET: parts.liveKit?.apiSecret ?? named(options, 'LIVEKIT_API_SECRET') ?? '',
  };
};

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

interface Own {
  readonly postgres: Postgres | undefined;
  readonly nats: Nats | undefined;
  readonly standIns: Child | undefined;
}

const startOwn = async (options: EngineOptions, parts: StandIns): Promise<Own> => {
  const { folder, secrets, cacheDir } = options;
  const [postgres, nats, standIns] = await Promise.all([
    named(options, 'POSTGRES_ADMIN_URL')
      ? undefined
      : rememberedPort(folder, 'postgres').then((port) =>
          startPostgres({
            dataDir: folder.directory('postgres'),
            logFile: folder.log('postgres'),
            password: secrets.postgresPassword,
            port,
          }),
        ),
    named(options, 'NATS_URL')
      ? undefined
      : rememberedPort(folder, 'nats').then((port) =>
          startNats({
            dataDir: folder.directory('nats'),
            logFile: folder.log('nats'),
            token: secrets.natsToken,
            cacheDir,
            port,
          }),
        ),
    startStandIns(parts, { log: folder.log('stand-ins'), pid: folder.directory('stand-ins.pid') }),
  ]);
  return { postgres, nats, standIns };
};

/** Brings up whatever the environment does not name. */
export const startEngines = async (options: EngineOptions): Promise<Engines> => {
  const parts = await standInsFor(options);
  const own = await startOwn(options, parts);
  const variables: Record<string, string> = {
    ...liveKitVariables(options, parts),
    NATS_URL: own.nats?.url ?? named(options, 'NATS_URL') ?? '',
    EVENTSTORE_URL: parts.eventStore
      ? `esdb://127.0.0.1:${parts.eventStore.port}?tls=false`
      : (named(options, 'EVENTSTORE_URL') ?? ''),
    MONGODB_URL: parts.mongo
      ? `mongodb://127.0.0.1:${parts.mongo.port}`
      : (named(options, 'MONGODB_URL') ?? ''),
    VOICE_AGENT_NAME: options.agentName,
  };
  variables.SIP_OUTBOUND_TRUNK_ID =
    named(options, 'SIP_OUTBOUND_TRUNK_ID') ?? (await outboundTrunk(variables));
  const real = 'yours, from the environment';
  return {
    postgresAdminUrl: own.postgres?.adminUrl ?? named(options, 'POSTGRES_ADMIN_URL') ?? '',
    variables,
    summary: [
      ['Postgres', own.postgres ? 'real server, started here' : real],
      ['NATS', own.nats ? 'real server, started here' : real],
      ['EventStoreDB', parts.eventStore ? 'stand-in at the wire' : real],
      ['MongoDB', parts.mongo ? 'stand-in at the wire' : real],
      ['LiveKit', parts.liveKit ? 'stand-in at the wire, with simulated people' : real],
    ],
    crash: (engine) => {
      const child = { postgres: own.postgres, nats: own.nats, 'stand-ins': own.standIns }[engine];
      if (child === undefined) throw new Error(`${engine} is not run by this platform`);
      child.crash();
    },
    stop: async () => {
      await own.standIns?.stop();
      await Promise.all([own.nats?.stop(), own.postgres?.stop()]);
    },
  };
};
