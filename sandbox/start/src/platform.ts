// The whole platform on one machine: engines, the gateway in this process and the services in another. They talk over
// NATS exactly as they do in production.
import { loadEnv, Secret } from '@parlance/config';
import { platformProcesses } from '@parlance/contracts';
import { freePort } from '@parlance/engines';
import { administer, provisionService } from '@parlance/postgres';
import { DataFolder, type Secrets, type State } from './data-folder.js';
import { keepDemoWidget } from './demo-widget.js';
import { type Engines, startEngines } from './engines.js';
import { type ServicesEnvironment, services, startServices, textRuntime } from './services.js';
import {
  callerVariables,
  type Source,
  secretsOfRun,
  secretVariables,
  setVariables,
} from './shared-settings.js';
import { rememberedPort } from './stand-in-parts.js';

/** The environment of each process of the platform. */
export interface ProcessEnvironments {
  /** By name, such as `calls-logs`. */
  readonly services: ServicesEnvironment;
  readonly gateway: Readonly<Record<string, string>>;
}

interface Stoppable {
  stop(): Promise<void>;
}

export interface PlatformOptions {
  readonly dataDir: string;
  /** Where fetched binaries are kept between runs. */
  readonly cacheDir: string;
  readonly port?: number;
  readonly timeScale?: number;
  /** LiveKit's own programs, telephones on the wire and the voice runtime, instead of simulated people. */
  readonly realMedia?: boolean;
  /** LiveKit's own server and the voice runtime for browsers; no telephone can be called. */
  readonly browserVoice?: boolean;
  /** The voice runtime answers, with the local speech service where it is set up; real media as far as they are installed. */
  readonly voice?: boolean;
  /** A scripted agent holds the telephone calls of real media instead of the voice runtime, for tests of telephony. */
  readonly scriptedAgent?: boolean;
  /** No first organization is made: somebody sets it up with the code. */
  readonly empty?: boolean;
  /** Copies of the dialer, each beyond the first in a process of its own (1). */
  readonly dialers?: number;
  /**
   * Starts the processes in another way than `npm start`, and resolves when they answer at the addresses of their
   * environment. No first organization and no demo are made then.
   */
  readonly launch?: (environments: ProcessEnvironments) => Promise<Stoppable>;
  /** Variables that override the sandbox's choices; usually the environment of the process. */
  readonly source?: Source;
  /** Told the current step, for a person at the terminal. */
  readonly onProgress?: (step: string) => void;
}

export interface Platform {
  readonly url: string;
  readonly engines: Engines;
  /** Calls are real ones, between LiveKit's own programs and telephones on the wire. */
  readonly isRealMedia: boolean;
  /** A scripted agent holds these calls, and not the voice runtime. */
  readonly isScripted: boolean;
  /** The first organization's credentials, only at the very first start. */
  readonly firstOrganization: State['demo'];
  /** Telephones can be called, simulated or real. */
  readonly hasTelephones: boolean;
  /** /widget-demo shows a widget. */
  readonly hasDemo: boolean;
  stop(): Promise<void>;
}

const preferredPort = 4700;

const provisionDatabases = async (adminUrl: string, password: string): Promise<void> => {
  const admin = administer({ url: new Secret(adminUrl), applicationName: 'provision' });
  try {
    for (const { role } of platformProcesses) await provisionService(admin, { role, schema: role, password });
  } finally {
    await admin.end();
  }
};

const databaseUrl = (adminUrl: string, role: string, password: string): string => {
  const url = new URL(adminUrl);
  url.username = role;
  url.password = password;
  return url.href;
};

const simulatedHost = 'sip.simulated.invalid';

const commonVariables = (secrets: Secrets, engines: Engines): Record<string, string> => ({
  LOG_LEVEL: 'warn',
  ...engines.variables,
  ...secretVariables(secrets),
  SIP_INBOUND_HOST: simulatedHost,
  // Telephones call from this machine.
  SIP_INBOUND_ADDRESSES: '127.0.0.0/8,::1',
  // A real media server must not take the trunk of a simulated account to the real provider.
  ...(engines.variables.TWILIO_API_URL && { TWILIO_SIP_HOST: simulatedHost }),
  ...(engines.variables.TELNYX_API_URL && { TELNYX_SIP_HOST: simulatedHost }),
  // No account limits simulated providers; the pace of a campaign is its own.
  TWILIO_CALLS_PER_SECOND: '100',
  TELNYX_CALLS_PER_SECOND: '100',
});

const promiseWithResolvers = <T>() => {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  promise.catch(() => undefined); // the code that waits for it gets the error
  return { promise, resolve, reject };
};

/** Starts everything; resolves when the gateway answers. */
export const startPlatform = async (options: PlatformOptions): Promise<Platform> => {
  const progress = options.onProgress ?? (() => undefined);
  const source = setVariables(options.source ?? {});
  const folder = new DataFolder(options.dataDir);
  const running = folder.runningAt();
  if (running !== undefined) throw new Error(`Parlance already runs on this data folder, at ${running}.`);
  folder.claim();
  const secrets = secretsOfRun(folder.secrets(source), source);
  const port = options.port ?? (await freePort(folder.state().ports.gateway ?? preferredPort));
  folder.saveState({ ports: { ...folder.state().ports, gateway: port } });
  const mcpPort = await rememberedPort(folder, 'mcp');
  /** Undefined where the environment names a runtime. */
  const runtimePort = source.TEXT_RUNTIME_URL ? undefined : await rememberedPort(folder, 'text-runtime');
  const url = `http://127.0.0.1:${port}`;

  const started: Stoppable[] = [];
  const stop = async (): Promise<void> => {
    for (const part of started.reverse()) await part.stop();
    folder.release();
  };
  // Reading our own code takes about as long as starting the engines, so both happen at once.
  const environment = promiseWithResolvers<ServicesEnvironment>();
  const child =
    options.launch === undefined
      ? startServices(
          services
            .filter((service) => service !== textRuntime || runtimePort !== undefined)
            .map(({ name }) => name),
          environment.promise,
          { log: folder.log('services'), pid: folder.directory('services.pid') },
        )
      : undefined;
  child?.catch(() => undefined); // awaited below, unless something else fails first
  try {
    progress('starting engines');
    const [engines, gateway] = await Promise.all([
      startEngines({
        folder,
        secrets,
        gatewayUrl: url,
        agentName: source.VOICE_AGENT_NAME ?? 'parlance-voice',
        timeScale: options.timeScale ?? 4,
        realMedia: options.realMedia ?? false,
        browserVoice: options.browserVoice ?? false,
        voice: options.voice ?? false,
        scriptedAgent: options.scriptedAgent ?? false,
        cacheDir: options.cacheDir,
        source,
      }),
      import('@parlance/gateway'),
    ]);
    started.push(engines);
    progress('preparing databases');
    await provisionDatabases(engines.postgresAdminUrl, secrets.databasePassword);
    const given: Readonly<Record<string, string>> = {
      ...commonVariables(secrets, engines),
      ...source,
      ...engines.variables,
      ...(runtimePort !== undefined && { TEXT_RUNTIME_URL: `http://127.0.0.1:${runtimePort}` }),
    };
    /** Of every process, with its own role, user and keys. */
    const variablesOf = ({ name, role, usesNats }: (typeof platformProcesses)[number]) => ({
      ...given,
      // Browsers on this machine reach the storage by the address by which processes do.
      OBJECT_STORAGE_PUBLIC_URL: given.OBJECT_STORAGE_PUBLIC_URL ?? given.OBJECT_STORAGE_URL ?? '',
      RUNTIME_BASE_URL: url,
      WIDGET_BASE_URL: url,
      PUBLIC_URL: url,
      ...callerVariables(secrets, name),
      POSTGRES_URL: databaseUrl(engines.postgresAdminUrl, role, secrets.databasePassword),
      NATS_URL: usesNats ? engines.natsUrlOf(name) : '',
    });
    /** Of one process alone; the environment may set others. */
    const defaults: ServicesEnvironment = {
      gateway: { SIGN_UP: 'open', EMAIL_VERIFICATION: 'off' },
      'outbound-dialer': {
        // Nobody is called: the phones of this platform ring on this machine, at any hour.
        CALLING_WINDOW: 'none',
        DAILY_ATTEMPTS_PER_NUMBER: 'none',
        // Ctrl-C does not wait for phones that ring.
        ...(options.launch === undefined && { DIALS_FINISH_WITHIN_SECONDS: '0' }),
      },
    };
    /** Of one process alone, whatever the environment sets. */
    const ownVariables: ServicesEnvironment = {
      'mcp-facade': {
        MCP_HOST: '127.0.0.1',
        MCP_PORT: String(mcpPort),
        GATEWAY_URL: url,
        DRAIN_DELAY_MS: '0',
      },
      gateway: {
        MCP_FACADE_URL: `http://127.0.0.1:${mcpPort}`,
        DRAIN_DELAY_MS: '0',
        HOST: '127.0.0.1',
        PORT: String(port),
      },
    };
    progress('starting services');
    const variablesByName: ServicesEnvironment = Object.fromEntries(
      platformProcesses.map((row) => [
        row.name,
        { ...defaults[row.name], ...variablesOf(row), ...ownVariables[row.name] },
      ]),
    );
    const { gateway: gatewayVariables = {}, ...ofServices } = variablesByName;
    const ofRuntime = {
      ...given,
      PLATFORM_URL: url,
      TEXT_RUNTIME_HOST: '127.0.0.1',
      TEXT_RUNTIME_PORT: String(runtimePort),
      DRAIN_DELAY_MS: '0',
    };
    const servicesEnvironment: ServicesEnvironment = {
      ...ofServices,
      ...(runtimePort !== undefined && { [textRuntime.name]: ofRuntime }),
    };
    environment.resolve(servicesEnvironment);
    folder.saveServiceVariables(variablesByName);
    const answeredBy =
      runtimePort === undefined
        ? 'yours, from the environment'
        : 'answered by rules, or by a language model whose key is in the environment (docs/models.md)';
    const common = {
      url,
      engines: { ...engines, summary: [...engines.summary, ['Text', answeredBy] as const] },
      stop,
      isRealMedia: engines.media === 'telephones',
      isScripted: options.scriptedAgent ?? false,
      hasTelephones: engines.media !== 'browsers',
    };
    if (options.launch !== undefined) {
      started.push(await options.launch({ services: servicesEnvironment, gateway: gatewayVariables }));
      return { ...common, firstOrganization: undefined, hasDemo: false };
    }
    const gatewayEnv = loadEnv(gateway.Env, gatewayVariables);
    const moreDialers = Array.from({ length: (options.dialers ?? 1) - 1 }, (_, index) =>
      startServices(['outbound-dialer'], Promise.resolve(servicesEnvironment), {
        log: folder.log(`dialer-${index + 2}`),
        pid: folder.directory(`dialer-${index + 2}.pid`),
      }),
    );
    let demoWidgetId: string | undefined;
    const hasVoice = engines.variables.BROWSER_VOICE === 'on';
    const shownWidget = () => (demoWidgetId === undefined ? undefined : { id: demoWidgetId, hasVoice });
    const settled = await Promise.allSettled([
      ...(child === undefined ? [] : [child]),
      ...moreDialers,
      gateway.start(gatewayEnv, { demoWidget: shownWidget }),
    ]);
    started.push(...settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])));
    const failed = settled.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;

    let firstOrganization: State['demo'];
    if (options.empty !== true && folder.state().demo === undefined) {
      progress('making the first organization');
      firstOrganization = await gateway.createFirstOrganization(gatewayEnv);
      folder.saveState({ demo: firstOrganization });
    }
    demoWidgetId = await keepDemoWidget(folder, url, progress);
    const { isRealMedia, isScripted, hasTelephones } = common;
    folder.saveState({ url, isRealMedia, isScripted, hasTelephones, practice: engines.practice });
    return { ...common, firstOrganization, hasDemo: demoWidgetId !== undefined };
  } catch (error) {
    environment.reject(error);
    await stop();
    throw error;
  }
};
