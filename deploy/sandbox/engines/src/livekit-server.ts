// A real LiveKit on loopback, where all of it is installed: its server, its SIP service, and the Redis between the two.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, dyingWithParent, startChild } from './child-process.js';
import { onPath } from './on-path.js';
import { freePort, reachable } from './ports.js';

/** Paths of the three programs. */
export interface LiveKitBinaries {
  readonly server: string;
  readonly sip: string;
  readonly redis: string;
}

export interface LiveKitServerOptions {
  /** Made if absent; nothing in it outlives a run. */
  readonly dataDir: string;
  /** Log file of each program. */
  readonly log: (program: string) => string;
  readonly port: number;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly webhookUrl: string;
  readonly binaries: LiveKitBinaries;
}

/** Undefined unless all three are installed: without one of them no telephone can be called. */
export const findLiveKit = (): LiveKitBinaries | undefined => {
  const [server, sip, redis] = ['livekit-server', 'livekit-sip', 'redis-server'].map(onPath);
  return server && sip && redis ? { server, sip, redis } : undefined;
};

interface Place {
  readonly program: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly port: number;
}

const start = (
  { dataDir, log }: LiveKitServerOptions,
  { program, command, env, port }: Place,
): Promise<Child> =>
  startChild({
    name: program,
    command: dyingWithParent(command, 'TERM'),
    logFile: log(program),
    pidFile: join(dataDir, `${program}.pid`),
    probe: () => reachable(port),
    ...(env === undefined ? {} : { env }),
  });

interface Redis {
  readonly child: Child;
  /** As both others take it; JSON is YAML. */
  readonly address: { readonly address: string; readonly password: string };
}

const startRedis = async (options: LiveKitServerOptions): Promise<Redis> => {
  const port = await freePort();
  const password = randomBytes(18).toString('hex');
  // In a file, because everybody on the machine may read a command line.
  const configuration = join(options.dataDir, 'redis.conf');
  const lines = ['bind 127.0.0.1', `port ${port}`, `requirepass ${password}`, 'save ""', 'appendonly no', ''];
  writeFileSync(configuration, lines.join('\n'), { mode: 0o600 });
  const command = [options.binaries.redis, configuration] as const;
  const child = await start(options, { program: 'redis-server', command, port });
  return { child, address: { address: `127.0.0.1:${port}`, password } };
};

const startServer = (options: LiveKitServerOptions, redis: Redis['address']): Promise<Child> => {
  const { apiKey, apiSecret, port, binaries, webhookUrl } = options;
  const configuration = {
    port,
    bind_addresses: ['127.0.0.1'],
    redis,
    // Rooms are made before anybody dials into them; one that was deleted must not come back with a late join.
    room: { auto_create: false },
    rtc: { tcp_port: port + 1, port_range_start: 50_000, port_range_end: 50_200, use_external_ip: false },
    webhook: { api_key: apiKey, urls: [webhookUrl] },
  };
  return start(options, {
    program: 'livekit-server',
    command: [binaries.server],
    env: { LIVEKIT_CONFIG: JSON.stringify(configuration), LIVEKIT_KEYS: `${apiKey}: ${apiSecret}` },
    port,
  });
};

const startSip = async (options: LiveKitServerOptions, redis: Redis['address']): Promise<Child> => {
  const healthPort = await freePort();
  const configuration = { redis, health_port: healthPort, sip_port: 5060, rtp_port: '10000-10199' };
  return start(options, {
    program: 'livekit-sip',
    command: [options.binaries.sip],
    env: {
      LIVEKIT_API_KEY: options.apiKey,
      LIVEKIT_API_SECRET: options.apiSecret,
      LIVEKIT_WS_URL: `ws://127.0.0.1:${options.port}`,
      SIP_CONFIG_BODY: JSON.stringify(configuration),
    },
    port: healthPort,
  });
};

/** Starts Redis, the server and its SIP service; resolves when all three listen. */
export const startLiveKitServer = async (
  options: LiveKitServerOptions,
): Promise<{ readonly stop: () => Promise<void> }> => {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const started: Child[] = [];
  const stop = async (): Promise<void> => {
    for (const child of started.splice(0).reverse()) await child.stop();
  };
  try {
    const redis = await startRedis(options);
    started.push(redis.child);
    started.push(await startServer(options, redis.address));
    started.push(await startSip(options, redis.address));
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
