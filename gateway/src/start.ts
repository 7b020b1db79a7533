// Boots the gateway: port, database, broker, then the app; and takes it down without failing a request.
import { contract, stopLimitMsOf } from '@parlance/contracts';
import { Erasures, openErasureLog } from '@parlance/erasure';
import { drainDelayOf } from '@parlance/http';
import { createMailer } from '@parlance/mail';
import { createWebhookVerifier } from '@parlance/media-rooms';
import { connectObjectStorage } from '@parlance/object-storage';
import {
  createLogger,
  type Logger,
  Readiness,
  type RunningService,
  refuseOldEngine,
  startRounds,
  startVersionWatch,
  systemClock,
  systemIds,
} from '@parlance/observability';
import { openOps } from '@parlance/ops-listener';
import { agreeOnKeys, whenReachable } from '@parlance/postgres';
import { connectionState, connectNats, ReadinessCollector, RequestSigner, RpcClient } from '@parlance/rpc';
import { createApp, createRuntimeApp } from './app.js';
import { applyErasures } from './apply-erasures.js';
import { type Access } from './auth/access.js';
import { openIdentityStore } from './auth/identity-store.js';
import { startCredentials } from './compose-credentials.js';
import { AgentsOfTools } from './composition/agents-of-tools.js';
import { composersOver } from './composition/composers.js';
import { EndsOfCalls } from './composition/ends-of-calls.js';
import { FactsOfCalls } from './composition/facts-of-calls.js';
import { NumbersAtDialer } from './composition/numbers-at-dialer.js';
import { OutboundTimelines } from './composition/outbound-timelines.js';
import { consoleOriginsOf } from './console-files/connect-origins.js';
import { type ConsoleFiles, readConsoleFiles } from './console-files/files.js';
import { KeptAssets } from './console-files/kept-assets.js';
import type { ConsoleFilesOptions } from './console-files/routes.js';
import { type GatewayEngines, ownSecret } from './engines.js';
import type { Env } from './environment/env.js';
import { ErasureRunner } from './erasures/erasure-runner.js';
import { People } from './erasures/people.js';
import { PersonKeys } from './erasures/person-keys.js';
import { health, ready } from './health.js';
import { liveKitHook } from './hooks/livekit.js';
import { mcpClientDocument, mcpLoginHook } from './hooks/mcp-login.js';
import { originsOf } from './http/origins.js';
import { Idempotency } from './idempotency/idempotency.js';
import { IdempotencyStore } from './idempotency/idempotency-store.js';
import { bind, closeAll, type Listeners, listenersOf } from './listeners.js';
import { BrokerFeed } from './live/broker-feed.js';
import { LiveStreams } from './live/live-streams.js';
import { openLiveStream } from './live/open-live-stream.js';
import { MailOutbox, MailSeal } from './mail/mail-outbox.js';
import { mailCheck, type PostmanOptions, startPostman } from './mail/postman.js';
import { AddressVouchers } from './mcp/address-vouchers.js';
import { type McpProxy, mcpProxy } from './mcp/mcp-proxy.js';
import { type BeginLimits, beginLimitsOver } from './organizations/beginnings.js';
import { storageOver } from './organizations/storage.js';
import { answering } from './routing/route-handler.js';
import { RuntimeConfigs } from './runtime/runtime-configs.js';
import { runInCall } from './runtime/tool-runs.js';
import { Teardown } from './teardown.js';
import { uploadDoor } from './uploads/upload-door.js';
import { type DemoWidget, demoPage } from './widget-demo/demo-page.js';
import { EarlierVersions } from './widget-files/earlier-versions.js';
import { readWidgetFiles, type WidgetFiles } from './widget-files/files.js';
import type { WidgetFilesOptions } from './widget-files/routes.js';

const sweepEveryMs = 10 * 60_000;
/** Beyond the time limit of the work, so that a claim outlives it. */
const leaseMarginSeconds = 5;
export interface Gateway extends RunningService {
  /** Scheme, host and port that it listens on. */
  readonly url: string;
  /** The address of the listener for the voice runtime, where there is one. */
  readonly runtimeUrl: string | undefined;
}

const validatesResponses = (env: Env): boolean =>
  env.VALIDATE_RESPONSES === undefined ? env.NODE_ENV !== 'production' : env.VALIDATE_RESPONSES === 'true';

/** What was erased is erased again in a restored backup, before anybody can read it. */
const startErasures = async ({ env, store, logger, teardown }: GatewayEngines, rpc: RpcClient) => {
  const { db } = store;
  const storage = connectObjectStorage(env);
  if (storage !== undefined) teardown.add('object storage', async () => storage.close());
  const log = openErasureLog({ service: 'gateway', storage, directory: env.ERASURE_LOG_DIR });
  const erasures = new Erasures({ log, db, logger });
  const apply = applyErasures({ db, clock: systemClock, ids: systemIds });
  await erasures.applyMissing(apply);
  teardown.own(erasures.start(apply));
  const keys = new PersonKeys(env.AUTH_SECRET);
  teardown.own(new ErasureRunner({ db, rpc, keys, erasures, storage, logger }).start());
  return new People({ db, rpc, keys, clock: systemClock, ids: systemIds });
};

const watchOwnDependencies = ({ store, nats, logger }: GatewayEngines, mail: PostmanOptions): Readiness => {
  const readiness = new Readiness(logger, systemClock, store.db.activity);
  const broker = connectionState(nats, () => store.db.activity.note());
  readiness.add('readModel', { required: true, check: () => store.db.ping() });
  readiness.add('queue', {
    required: true,
    check: async () => {
      if (!broker.up()) throw new Error('not connected');
      await nats.flush();
    },
  });
  readiness.add('mail', { required: false, check: () => mailCheck(mail) });
  readiness.start();
  return readiness;
};

const startIdempotency = ({ env, store, logger, teardown }: GatewayEngines): Idempotency => {
  const leaseSeconds = Math.ceil(env.RPC_TIMEOUT_MS / 1_000) + leaseMarginSeconds;
  const records = new IdempotencyStore(store.db, systemIds, leaseSeconds);
  const sweeping = startRounds({
    name: 'sweeping of idempotency records',
    firstAfterMs: sweepEveryMs,
    everyMs: sweepEveryMs,
    logger,
    round: () => records.sweep(),
  });
  teardown.own(sweeping);
  return new Idempotency(records, logger, ownSecret(env));
};

const startMail = ({ env, store, logger, teardown }: GatewayEngines): PostmanOptions => {
  const { SMTP_URL: url, MAIL_FROM: from } = env;
  const mailer =
    url === undefined || from === undefined ? undefined : createMailer({ url: url.reveal(), from });
  const options = { outbox: new MailOutbox(store.db, new MailSeal(env.AUTH_SECRET)), mailer, logger };
  const postman = startPostman(options);
  if (postman !== undefined) teardown.own(postman);
  return options;
};

const startMcpProxy = (
  { env, teardown }: GatewayEngines,
  vouchers: AddressVouchers,
): McpProxy | undefined => {
  if (env.MCP_FACADE_URL === undefined) return undefined;
  const proxy = mcpProxy({ target: env.MCP_FACADE_URL, vouchers });
  teardown.add('connections to the MCP facade', () => proxy.close());
  return proxy;
};

const startWidgetFiles = ({ store, logger, teardown }: GatewayEngines): WidgetFilesOptions => {
  let files: WidgetFiles | undefined;
  const own = (): WidgetFiles => {
    files ??= readWidgetFiles();
    return files;
  };
  const earlier = new EarlierVersions(store.db);
  teardown.own(earlier.keep(own, logger));
  return { own, earlier };
};

/** Resolves when other copies can serve the files that the page of this one names. */
const startConsoleFiles = async (engines: GatewayEngines): Promise<ConsoleFilesOptions | undefined> => {
  const { env, store, logger, teardown, readConsole } = engines;
  if (env.CONSOLE !== 'on') return undefined;
  let files: ConsoleFiles | undefined;
  const own = (): ConsoleFiles => {
    files ??= readConsole();
    return files;
  };
  const kept = new KeptAssets(store.db);
  teardown.own(await kept.keep(own, logger));
  return { connectOrigins: consoleOriginsOf(env), own, kept };
};

const serve = async (engines: GatewayEngines, listeners: Listeners): Promise<Readiness> => {
  const { env, logger, nats, teardown } = engines;
  const readiness = watchOwnDependencies(engines, startMail(engines));
  teardown.add('readiness', () => readiness.stop());
  teardown.own(
    startVersionWatch({ engine: 'PostgreSQL', read: () => engines.store.db.serverVersion(), logger }),
  );
  teardown.own(startVersionWatch({ engine: 'NATS', read: async () => nats.info?.version, logger }));
  const collector = new ReadinessCollector(nats);
  teardown.add('readiness of services', () => collector.stop());
  const signer = new RequestSigner('gateway', env);
  const rpc = new RpcClient(nats, {
    ...{ asker: 'gateway', signer, timeoutMs: env.RPC_TIMEOUT_MS },
    repeatsReads: true,
  });
  engines.store.beginnings.limitedBy(engines.beginLimits ?? beginLimitsOver(rpc, systemIds));
  const idempotency = startIdempotency(engines);
  const people = await startErasures(engines, rpc);
  const storage = storageOver(rpc);
  const runtimeConfigs = new RuntimeConfigs({ rpc, logger });
  const { access, limits, signUpGate, authRoutes: auth } = startCredentials(engines, rpc, idempotency);
  const agentsOfTools = new AgentsOfTools({ rpc, logger });
  // Where every sign-up is let in and counts as verified, the code opens nothing.
  if (env.SIGN_UP !== 'open' || env.EMAIL_VERIFICATION === 'required') await signUpGate.announce(logger);
  const startedAt = systemClock.now();
  const ownHandlers = {
    'health.live': () => health({ version: env.SERVICE_VERSION, clock: systemClock, startedAt }),
    'health.ready': () =>
      ready({ own: readiness.report(), services: collector.reports() }, systemClock.now()),
    'caller.get': ({ caller, mcpConfirm, verified }: Access) => ({
      ...{ ...caller, mcpConfirm },
      ...(verified === undefined ? {} : { verified }),
    }),
    ...answering(contract.peopleDelete, (input, context) => people.delete(input, context)),
    ...answering(contract.peopleErasure, (input, context) => people.erasure(input, context)),
    ...answering(contract.storageGet, (_, context) => storage(context)),
    ...answering(contract.toolsRunInCall, (input, context) =>
      runInCall({ rpc, agents: agentsOfTools, ids: systemIds, logger }, input, context),
    ),
    ...answering(contract.internalAgentConfig, (input, context) => runtimeConfigs.ofAgent(input, context)),
    ...answering(contract.internalNumberConfig, (input, context) => runtimeConfigs.ofNumber(input, context)),
  };
  const { liveStreams } = engines;
  const feed = new BrokerFeed({ nats, logger, listener: liveStreams });
  teardown.own(feed);
  await feed.tried();
  const ownStreams = { 'events.stream': openLiveStream(liveStreams) };
  const verify = createWebhookVerifier(env.LIVEKIT_API_KEY, env.LIVEKIT_API_SECRET.reveal());
  const validateResponses = validatesResponses(env);
  const vouchers = new AddressVouchers(ownSecret(env));
  const routes = {
    ...{ access, limits, idempotency, rpc, logger, validateResponses, ownHandlers, ownStreams },
    composers: composersOver({
      agents: agentsOfTools,
      calls: new FactsOfCalls({ rpc, logger }),
      ends: new EndsOfCalls({ rpc, logger }),
      numbers: new NumbersAtDialer({ rpc, logger }),
      timelines: new OutboundTimelines({ rpc, logger }),
    }),
    answerWithinMs: env.RPC_TIMEOUT_MS,
  };
  const app = createApp({
    logger,
    ids: systemIds,
    publicUrl: engines.publicUrl,
    consoleOrigins: env.CONSOLE_ORIGINS,
    trustProxyHops: env.TRUST_PROXY_HOPS,
    servesInternal: (env.INTERNAL_ROUTES ?? (listeners.runtime === undefined ? 'on' : 'off')) === 'on',
    authRoutes: auth,
    liveKitHook: liveKitHook({ verify, rpc }),
    uploadDoor: uploadDoor({ rpc, storageUrl: env.OBJECT_STORAGE_URL }),
    mcpLoginHook: mcpLoginHook({
      ...{ limits, rpc },
      authorize: access.authorizerFor(contract.mcpAuthorize),
    }),
    mcpClientDocument: mcpClientDocument(engines.publicUrl),
    vouchers,
    widgetDemo: demoPage({
      publicUrl: engines.publicUrl,
      mediaServerUrl: env.LIVEKIT_WS_URL,
      widget: engines.demoWidget,
    }),
    widgetFiles: startWidgetFiles(engines),
    console: await startConsoleFiles(engines),
    mcp: startMcpProxy(engines, vouchers),
    routes,
  });
  for (const part of teardown.parts) readiness.addPart(part);
  listeners.open.serve(app);
  listeners.runtime?.serve(createRuntimeApp({ logger, ids: systemIds, routes }));
  return readiness;
};

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const boot = async (
  env: Env,
  logger: Logger,
  listeners: Listeners,
  teardown: Teardown,
  { demoWidget = () => undefined, readConsole = readConsoleFiles, beginLimits }: StartOptions,
): Promise<void> => {
  const ops = await openOps({ service: 'gateway', env, logger });
  teardown.add('ops listener', () => ops.stop());
  const publicUrl = new URL(env.PUBLIC_URL ?? listeners.open.url).origin;
  const trustedOrigins = [...new Set([...originsOf(publicUrl), ...env.CONSOLE_ORIGINS])];
  const common = { env, publicUrl, trustedOrigins, logger, ids: systemIds, clock: systemClock };
  const store = await openIdentityStore(common);
  teardown.add('postgres', () => store.close());
  const nats = await connectNats({ url: env.NATS_URL, name: 'gateway', logger });
  teardown.add('nats', () => nats.drain());
  await refuseOldEngine('NATS', async () => nats.info?.version);
  await refuseOldEngine('PostgreSQL', () => store.db.serverVersion());
  await whenReachable(() => agreeOnKeys(store.db, env, logger), { logger });
  await store.db.open();
  const liveStreams = new LiveStreams({ secret: env.AUTH_SECRET });
  const engines = { ...common, store, nats, teardown, demoWidget, readConsole, liveStreams, beginLimits };
  const readiness = await serve(engines, listeners);
  ops.started(() => readiness.report());
  teardown.add('listeners', () => closeAll(listeners));
  // The gateway is not ready while load balancers find out; requests are still served. Readers of live events come back
  // to another gateway.
  teardown.add('draining', async () => {
    readiness.draining = true;
    for (const server of listenersOf(listeners)) server.drain();
    await sleep(drainDelayOf(env));
    liveStreams.stop();
    store.db.leave();
  });
};

export interface StartOptions {
  /** The widget that /widget-demo shows; without one the page is not served. */
  readonly demoWidget?: () => DemoWidget | undefined;
  /** The built files of the console, where they are not those of this checkout. */
  readonly readConsole?: () => ConsoleFiles;
  /** Takes the place of the dialer, which holds the limits of organizations. */
  readonly beginLimits?: BeginLimits;
}

/** Resolves when it serves. */
export const start = async (env: Env, options: StartOptions = {}): Promise<Gateway> => {
  const logger = createLogger({ service: 'gateway', level: env.LOG_LEVEL });
  const listeners = await bind(env);
  const teardown = new Teardown(logger);
  try {
    await boot(env, logger, listeners, teardown, options);
    const stopLimitMs = drainDelayOf(env) + stopLimitMsOf('gateway');
    const urls = { url: listeners.open.url, runtimeUrl: listeners.runtime?.url };
    return { name: 'gateway', ...urls, stopLimitMs, stop: () => teardown.run() };
  } catch (error) {
    await teardown.run();
    await closeAll(listeners);
    throw error;
  }
};
