// A real LiveKit on loopback, where all of it is installed: its servers, their SIP services, and the Redis between them.
// Every port is a free one, so that several installations run side by side.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, dyingWithParent, startChild } from './child-process.js';
import { onPath } from './on-path.js';
import { freePort, reachable } from './ports.js';
import { programVersion } from './program-version.js';
import { freePortOfBoth, freeUdpRange } from './udp-ports.js';

/** Paths of the three programs. */
export interface LiveKitBinaries {
  readonly server: string;
  readonly sip: string;
  readonly redis: string;
}

/**
 * A server makes rooms for all participants that join, or for none. Callers have a second server and SIP service, which
 * make rooms. A dial goes to the first two: it finds a room that was made before, or rings nowhere.
 */
export type LiveKitProgram =
  | 'livekit-server'
  | 'livekit-sip'
  | 'livekit-server-inbound'
  | 'livekit-sip-inbound'
  | 'redis-server';

export interface LiveKitPlace {
  /** Made if absent. Redis keeps trunks and dispatch rules there; rooms end with the server. */
  readonly dataDir: string;
  /** Log file of each program. */
  readonly log: (program: LiveKitProgram) => string;
  readonly port: number;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly webhookUrl: string;
}
export interface LiveKitServerOptions extends LiveKitPlace {
  readonly binaries: LiveKitBinaries;
}
export interface LiveKitRoomsOptions extends LiveKitPlace {
  /** Path of `livekit-server`. */
  readonly server: string;
}

/** A server of rooms alone: browsers meet agents in them, and no telephone is called. */
export interface LiveKitRooms {
  /** Kills the server as a crash would (SIGKILL); it is started again by itself, on the same port. */
  crash(): void;
  stop(): Promise<void>;
}

export interface LiveKitServer {
  /** Where telephones call in: host and port, UDP and TCP. */
  readonly sipAddress: string;
  pid(program: LiveKitProgram): number | undefined;
  /** Kills one program as a crash would (SIGKILL); it is started again by itself, on the same ports. */
  crash(program: LiveKitProgram): void;
  /** Rejects unless all programs listen. */
  reachable(): Promise<void>;
  stop(): Promise<void>;
}

/** Undefined unless all three are installed: without one of them no telephone can be called. */
export const findLiveKit = (): LiveKitBinaries | undefined => {
  const [server, sip, redis] = ['livekit-server', 'livekit-sip', 'redis-server'].map(onPath);
  return server && sip && redis ? { server, sip, redis } : undefined;
};

/** Path of the server alone, for rooms without telephones. */
export const findLiveKitRooms = (): string | undefined => onPath('livekit-server');

/** The installed programs and their versions, for one line of a report. */
export const liveKitVersions = async (
  binaries: LiveKitBinaries,
): Promise<Readonly<Record<'livekit-server' | 'livekit-sip' | 'redis-server', string>>> => {
  const [server, sip, redis] = await Promise.all(
    [binaries.server, binaries.sip, binaries.redis].map((program) => programVersion(program)),
  );
  return {
    'livekit-server': server ?? 'unknown',
    'livekit-sip': sip ?? 'unknown',
    'redis-server': redis ?? 'unknown',
  };
};

interface Place {
  readonly program: LiveKitProgram;
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly port: number;
  readonly stopSignal: NodeJS.Signals;
}

const start = (
  { dataDir, log }: LiveKitPlace,
  { program, command, env, port, stopSignal }: Place,
): Promise<Child> =>
  startChild({
    name: program,
    command: dyingWithParent(command, stopSignal.slice('SIG'.length)),
    logFile: log(program),
    pidFile: join(dataDir, `${program}.pid`),
    probe: () => reachable(port),
    stopSignal,
    ...(env === undefined ? {} : { env }),
  });

interface Redis {
  readonly child: Child;
  readonly port: number;
  /** As both others take it; JSON is YAML. */
  readonly address: { readonly address: string; readonly password: string };
}

const startRedis = async (options: LiveKitServerOptions): Promise<Redis> => {
  const port = await freePort();
  const password = randomBytes(18).toString('hex');
  // In a file, because everybody on the machine may read a command line.
  const configuration = join(options.dataDir, 'redis.conf');
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir "${options.dataDir}"`,
    'save ""',
    // Trunks and dispatch rules are only here: without the file a crash of Redis would take every telephone away.
    'appendonly yes',
    'appendfsync everysec',
    '',
  ];
  writeFileSync(configuration, lines.join('\n'), { mode: 0o600 });
  const command = [options.binaries.redis, configuration] as const;
  const child = await start(options, { program: 'redis-server', command, port, stopSignal: 'SIGTERM' });
  return { child, port, address: { address: `127.0.0.1:${port}`, password } };
};

interface ServerPlace {
  readonly program: LiveKitProgram;
  readonly port: number;
  /** Participants that join make the room that they name. */
  readonly makesRooms: boolean;
}

/** Nothing on a usual machine answers here (RFC 863). */
const discardPort = 9;

const startServer = async (
  options: LiveKitRoomsOptions,
  redis: Redis['address'] | undefined,
  { program, port, makesRooms }: ServerPlace,
): Promise<Child> => {
  const { apiKey, apiSecret, server, webhookUrl } = options;
  const mediaPort = await freePortOfBoth();
  const configuration = {
    port,
    bind_addresses: ['127.0.0.1'],
    ...(redis && { redis }),
    room: { auto_create: makesRooms },
    rtc: {
      // One port for the media of all rooms, of loopback only; a TCP port would listen on every interface.
      tcp_port: 0,
      udp_port: mediaPort,
      node_ip: '127.0.0.1',
      interfaces: { includes: ['lo', 'lo0'] },
      enable_loopback_candidate: true,
      use_external_ip: false,
      // Participants ask this address for theirs, in vain; without it they would ask servers on the internet. It is not the
      // media port: WebRTC libraries take every packet from a STUN server for an answer, and would hear no media.
      stun_servers: [`127.0.0.1:${discardPort}`],
    },
    webhook: {
      api_key: apiKey,
      urls: [webhookUrl],
      // Nothing is made of the events of tracks, which are most of them.
      filter_params: {
        include_events: ['room_started', 'room_finished', 'participant_joined', 'participant_left'],
      },
    },
  };
  return start(options, {
    program,
    command: [server],
    env: { LIVEKIT_CONFIG: JSON.stringify(configuration), LIVEKIT_KEYS: `${apiKey}: ${apiSecret}` },
    port,
    // A gentler signal waits until all participants have left by themselves.
    stopSignal: 'SIGKILL',
  });
};

/** Half of them can be in calls at once: RTP takes even ports. */
const rtpPorts = 600;

interface SipPlace {
  readonly program: LiveKitProgram;
  readonly sipPort: number;
  /** Of the server that its participants join through. */
  readonly serverPort: number;
  /** Dials are offered to the services without a cluster only. */
  readonly cluster: string;
}

const startSip = async (
  options: LiveKitServerOptions,
  redis: Redis['address'],
  { program, sipPort, serverPort, cluster }: SipPlace,
): Promise<Child> => {
  const rtp = await freeUdpRange(rtpPorts);
  const configuration = {
    redis,
    cluster_id: cluster,
    sip_port: sipPort,
    listen_ip: '127.0.0.1',
    // This address stands in signalling and in the description of media.
    nat_1_to_1_ip: '127.0.0.1',
    // livekit-sip binds the ports for media on every interface, and no setting of it names an address for them.
    rtp_port: `${rtp.from}-${rtp.to}`,
    // Half a minute, as it is by itself, would use up the ports in a campaign of short calls.
    rtp_draining_idle_timeout: '2s',
    // On a small machine a busy second would refuse calls.
    max_cpu_utilization: 1,
  };
  return start(options, {
    program,
    command: [options.binaries.sip],
    env: {
      LIVEKIT_API_KEY: options.apiKey,
      LIVEKIT_API_SECRET: options.apiSecret,
      LIVEKIT_WS_URL: `ws://127.0.0.1:${serverPort}`,
      SIP_CONFIG_BODY: JSON.stringify(configuration),
    },
    // It takes requests a moment after it listens here; a health port would listen on every interface.
    port: sipPort,
    // Hangs up every call and ends; SIGTERM waits until callers have hung up.
    stopSignal: 'SIGINT',
  });
};

/** One server and one SIP service for everything but callers, and one of each for them. */
const startServersAndSip = async (
  options: LiveKitServerOptions,
  redis: Redis['address'],
  started: Map<LiveKitProgram, Child>,
): Promise<{ readonly sipAddress: string; readonly ports: readonly number[] }> => {
  const { port } = options;
  const callersServerPort = await freePort();
  const [sipPort, callersSipPort] = [await freePortOfBoth(), await freePortOfBoth()];
  const servers: readonly ServerPlace[] = [
    { program: 'livekit-server', port, makesRooms: false },
    { program: 'livekit-server-inbound', port: callersServerPort, makesRooms: true },
  ];
  for (const place of servers)
    started.set(
      place.program,
      await startServer({ ...options, server: options.binaries.server }, redis, place),
    );
  const services: readonly SipPlace[] = [
    { program: 'livekit-sip', sipPort, serverPort: port, cluster: '' },
    {
      program: 'livekit-sip-inbound',
      sipPort: callersSipPort,
      serverPort: callersServerPort,
      cluster: 'inbound',
    },
  ];
  for (const place of services) started.set(place.program, await startSip(options, redis, place));
  return {
    sipAddress: `127.0.0.1:${callersSipPort}`,
    ports: [port, callersServerPort, sipPort, callersSipPort],
  };
};

/** Starts Redis, the servers and their SIP services; resolves when all of them listen. */
export const startLiveKitServer = async (options: LiveKitServerOptions): Promise<LiveKitServer> => {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const started = new Map<LiveKitProgram, Child>();
  const stop = async (): Promise<void> => {
    for (const child of [...started.values()].reverse()) await child.stop();
    started.clear();
  };
  try {
    const redis = await startRedis(options);
    started.set('redis-server', redis.child);
    const { sipAddress, ports } = await startServersAndSip(options, redis.address, started);
    return {
      sipAddress,
      pid: (program) => started.get(program)?.pid(),
      crash: (program) => started.get(program)?.crash(),
      reachable: async () => {
        for (const port of [redis.port, ...ports]) await reachable(port);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Starts a server without Redis and SIP; resolves when it listens. Clients have to create rooms; joining creates none. */
export const startLiveKitRooms = async (options: LiveKitRoomsOptions): Promise<LiveKitRooms> => {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const { port } = options;
  const server = await startServer(options, undefined, {
    program: 'livekit-server',
    port,
    makesRooms: false,
  });
  return { crash: () => server.crash(), stop: () => server.stop() };
};
