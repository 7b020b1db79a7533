// Boots the gateway: port, database, broker, then the app; and takes it down without failing a request.
import type { Secret } from '@parlance/config';
import { contract, stopLimitMsOf } from '@parlance/contracts';
import { Egress } from '@parlance/egress';
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
import { agreeOnKeys, startOutboxRelay, whenReachable } from '@parlance/postgres';
import {
  CallTokens,
  connectionState,
  connectNats,
  ReadinessCollector,
  RequestSigner,
  RpcClient,
} from '@parlance/rpc';
import type { NatsConnection } from 'nats';
import { createApp, createRuntimeApp } from './app.js';
import { applyErasures } from './apply-erasures.js';
import { type Access, AccessControl } from './auth/access.js';
import { AccessTokens } from './auth/access-tokens.js';
import { accountDeletion } from './auth/account-deletion.js';
import { ApiKeyCommands } from './auth/api-key-commands.js';
import { ApiKeys } from './auth/api-keys.js';
import { authHandlers } from './auth/auth-handlers.js';
import { authRoutes } from './auth/auth-routes.js';
import { GuessGuard } from './auth/guess-guard.js';
import { type IdentityStore, openIdentityStore } from './auth/identity-store.js';
import { issuerKeys } from './auth/issuer-keys.js';
import { KnownDevices } from './auth/known-devices.js';
import { LastUsed } from './auth/last-used.js';
import { AuthMembers } from './auth/members.js';
import { MembershipNews } from './auth/membership-news.js';
import { Organizations } from './auth/organizations.js';
import { resetPassword } from './auth/password-resets.js';
import { Revocations } from './auth/revocations.js';
import { Sessions } from './auth/sessions.js';
import { derivedSetupCode } from './auth/setup-code.js';
import { SignUpGate } from './auth/sign-up-gate.js';
import { AgentsOfTools } from './composition/agents-of-tools.js';
import { composersOver } from './composition/composers.js';
import { FactsOfCalls } from './composition/facts-of-calls.js';
import { consoleOriginsOf } from './console-files/connect-origins.js';
import { type ConsoleFiles, readConsoleFiles } from './console-files/files.js';
import { KeptAssets } from './console-files/kept-assets.js';
import type { ConsoleFilesOptions } from './console-files/routes.js';
import type { Env } from './environment/env.js';
import { ErasureRunner } from './erasures/erasure-runner.js';
import { People } from './erasures/people.js';
import { PersonKeys } from './erasures/person-keys.js';
import { health, ready } from './health.js';
import { liveKitHook } from './hooks/livekit.js';
import { mcpClientDocument, mcpLoginHook } from './hooks/mcp-login.js';
import { originGuard, originsOf } from './http/origins.js';
import { Idempotency } from './idempotency/idempotency.js';
import { IdempotencyStore } from './idempotency/idempotency-store.js';
import { Guesses } from './limits/guesses.js';
import { assertAllowed, RateLimits } from './limits/rate-limits.js';
import { visitorIds } from './limits/visitor-ids.js';
import { bind, closeAll, type Listeners, listenersOf } from './listeners.js';
import { BrokerFeed } from './live/broker-feed.js';
import { LiveStreams } from './live/live-streams.js';
import { openLiveStream } from './live/open-live-stream.js';
import { MailOutbox, MailSeal } from './mail/mail-outbox.js';
import { mailCheck, type PostmanOptions, startPostman } from './mail/postman.js';
import { AddressVouchers } from './mcp/address-vouchers.js';
import { type McpProxy, mcpProxy } from './mcp/mcp-proxy.js';
import { type BeginLimits, beginLimitsOver } from './organizations/beginnings.js';
import { Owners } from './organizations/owners.js';
import { OrganizationRemovals } from './organizations/removals.js';
import { storageOver } from './organizations/storage.js';
import { tenantServicesOver } from './organizations/tenant-services.js';
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
/** Beyond the time that all services together take to answer: for the deletion itself. */
const removalMarginMs = 10_000;

export interface Gateway extends RunningService {
  /** Scheme, host and port that it listens on. */
  readonly url: string;
  /** The address of the listener for the voice runtime, where there is one. */
  readonly runtimeUrl: string | undefined;
}

const validatesResponses = (env: Env): boolean =>
  env.VALIDATE_RESPONSES === undefined ? env.NODE_ENV !== 'production' : env.VALIDATE_RESPONSES === 'true';

/**
 * The secret from which the gateway derives its own keys. Version 0.1 took CALLER_SIGNING_KEY, and so do both versions
 * side by side.
 */
export const ownSecret = (env: Env): Secret => env.CALLER_SIGNING_KEY ?? env.AUTH_SECRET;

/** The tools for requests to services. */
interface Asking {
  readonly rpc: RpcClient;
}

/** What was erased is erased again in a restored backup, before anybody can read it. */
const startErasures = async ({ env, store, logger, teardown }: Parts, { rpc }: Asking) => {
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

interface Parts {
  readonly env: Env;
  readonly publicUrl: string;
  readonly trustedOrigins: readonly string[];
  readonly logger: Logger;
  readonly store: IdentityStore;
  readonly nats: NatsConnection;
  readonly teardown: Teardown;
  readonly demoWidget: () => DemoWidget | undefined;
  readonly readConsole: () => ConsoleFiles;
  readonly liveStreams: LiveStreams;
  readonly beginLimits: BeginLimits | undefined;
}

const watchOwnDependencies = ({ store, nats, logger }: Parts, mail: PostmanOptions): Readiness => {
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

const startIdempotency = ({ env, store, logger, teardown }: Parts): Idempotency => {
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

/** The gateway's messages to the services leave through its outbox. */
const startOrganizations = ({ env, store, nats, logger, teardown }: Parts, over: Asking) => {
  const { db } = store;
  const relay = startOutboxRelay({ db, nats, logger });
  teardown.own(relay);
  const removals = new OrganizationRemovals({
    ...{ db, logger, ids: systemIds, clock: systemClock },
    services: tenantServicesOver(over),
    leaseMs: env.RPC_TIMEOUT_MS + removalMarginMs,
  });
  const takingBack = removals.start();
  teardown.own(takingBack);
  return removals;
};

const startAccessTokens = ({ env, publicUrl, store, teardown }: Parts): AccessTokens | undefined => {
  const { MCP_OAUTH_ISSUER: issuer, MCP_OAUTH_JWKS_URL: jwksUrl } = env;
  if (issuer === undefined) return undefined;
  const egress = new Egress({ allowPrivate: env.EGRESS_ALLOW_PRIVATE, deny: env.EGRESS_DENY });
  teardown.add('egress', () => egress.close());
  return new AccessTokens({
    ...{ issuer, db: store.db, clock: systemClock },
    audience: `${publicUrl}/mcp`,
    keys: issuerKeys({ issuer, jwksUrl, egress }),
    verificationRequired: env.EMAIL_VERIFICATION === 'required',
  });
};

const startCredentials = (parts: Parts, over: Asking, idempotency: Idempotency) => {
  const { env, trustedOrigins, store, nats, logger, teardown, publicUrl } = parts;
  const { db, auth, outageSince } = store;
  const lastUsed = new LastUsed(db, systemClock, logger);
  teardown.own(lastUsed);
  const keys = new ApiKeys(store.keys, systemClock, lastUsed);
  const verificationRequired = env.EMAIL_VERIFICATION === 'required';
  const sessions = new Sessions({ auth, db, clock: systemClock, verificationRequired });
  const revocations = new Revocations({
    ...{ nats, keys, sessions, logger },
    changed: () => void parts.liveStreams.recheck(),
  });
  teardown.own(revocations);
  const limits = new RateLimits(env, db);
  const signUpGate = new SignUpGate({
    db,
    setting: env.SIGN_UP,
    setupCode: env.SETUP_CODE?.reveal() ?? derivedSetupCode(env.AUTH_SECRET.reveal()),
    countWrongCode: async (address) => assertAllowed(await limits.count('auth', [`setup code|${address}`])),
  });
  const internalKey = env.INTERNAL_API_KEY.reveal();
  const guardOrigin = originGuard(trustedOrigins);
  const devices = new KnownDevices({ secret: env.AUTH_SECRET.reveal(), publicUrl, clock: systemClock });
  const access = new AccessControl({
    ...{ keys, sessions, limits, guardOrigin, internalKey, publicUrl },
    accessTokens: startAccessTokens(parts),
    callTokens: new CallTokens(env),
    visitorId: visitorIds(ownSecret(env)),
  });
  const removals = startOrganizations(parts, over);
  return {
    access,
    limits,
    signUpGate,
    authRoutes: authRoutes({
      auth,
      outageSince,
      limits,
      sessions,
      revocations,
      access,
      members: new AuthMembers(db),
      news: new MembershipNews({ db, clock: systemClock, ids: systemIds, logger }),
      handlers: authHandlers({
        auth,
        gate: signUpGate,
        organizations: new Organizations(db),
        owners: new Owners(db),
        beginnings: store.beginnings,
        ids: systemIds,
        removals,
        revocations,
        store: store.keys,
        keys: new ApiKeyCommands(store.keys, systemClock),
        resetPassword: resetPassword(db, devices),
        deleteAccount: accountDeletion({
          auth,
          db,
          removals,
          keys: store.keys,
          publicUrl,
          ids: systemIds,
        }),
      }),
      guessGuard: new GuessGuard({
        guesses: new Guesses(limits),
        devices,
      }),
      guardOrigin,
      idempotency,
      publicUrl,
    }),
  };
};

const startMail = ({ env, store, logger, teardown }: Parts): PostmanOptions => {
  const { SMTP_URL: url, MAIL_FROM: from } = env;
  const mailer =
    url === undefined || from === undefined ? undefined : createMailer({ url: url.reveal(), from });
  const options = { outbox: new MailOutbox(store.db, new MailSeal(env.AUTH_SECRET)), mailer, logger };
  const postman = startPostman(options);
  if (postman !== undefined) teardown.own(postman);
  return options;
};

const startMcpProxy = ({ env, teardown }: Parts, vouchers: AddressVouchers): McpProxy | undefined => {
  if (env.MCP_FACADE_URL === undefined) return undefined;
  const proxy = mcpProxy({ target: env.MCP_FACADE_URL, vouchers });
  teardown.add('connections to the MCP facade', () => proxy.close());
  return proxy;
};

const startWidgetFiles = ({ store, logger, teardown }: Parts): WidgetFilesOptions => {
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
const startConsoleFiles = async (parts: Parts): Promise<ConsoleFilesOptions | undefined> => {
  const { env, store, logger, teardown, readConsole } = parts;
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

const serve = async (parts: Parts, listeners: Listeners): Promise<Readiness> => {
  const { env, logger, nats, teardown } = parts;
  const readiness = watchOwnDependencies(parts, startMail(parts));
  teardown.add('readiness', () => readiness.stop());
  teardown.own(
    startVersionWatch({ engine: 'PostgreSQL', read: () => parts.store.db.serverVersion(), logger }),
  );
  teardown.own(startVersionWatch({ engine: 'NATS', read: async () => nats.info?.version, logger }));
  const collector = new ReadinessCollector(nats);
  teardown.add('readiness of services', () => collector.stop());
  const signer = new RequestSigner('gateway', env);
  const rpc = new RpcClient(nats, {
    ...{ asker: 'gateway', signer, timeoutMs: env.RPC_TIMEOUT_MS },
    repeatsReads: true,
  });
  parts.store.beginnings.limitedBy(parts.beginLimits ?? beginLimitsOver(rpc, systemIds));
  const idempotency = startIdempotency(parts);
  const people = await startErasures(parts, { rpc });
  const storage = storageOver(rpc);
  const runtimeConfigs = new RuntimeConfigs({ rpc, logger });
  const agentsOfTools = new AgentsOfTools({ rpc, logger });
  const { access, limits, signUpGate, authRoutes: auth } = startCredentials(parts, { rpc }, idempotency);
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
  const { liveStreams } = parts;
  const feed = new BrokerFeed({ nats, logger, listener: liveStreams });
  teardown.own(feed);
  await feed.tried();
  const ownStreams = { 'events.stream': openLiveStream(liveStreams) };
  const verify = createWebhookVerifier(env.LIVEKIT_API_KEY, env.LIVEKIT_API_SECRET.reveal());
  const validateResponses = validatesResponses(env);
  const vouchers = new AddressVouchers(ownSecret(env));
  const routes = {
    ...{ access, limits, idempotency, rpc, logger, validateResponses, ownHandlers, ownStreams },
    composers: composersOver({ agents: agentsOfTools, calls: new FactsOfCalls({ rpc, logger }) }),
    answerWithinMs: env.RPC_TIMEOUT_MS,
  };
  const app = createApp({
    logger,
    ids: systemIds,
    publicUrl: parts.publicUrl,
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
    mcpClientDocument: mcpClientDocument(parts.publicUrl),
    vouchers,
    widgetDemo: demoPage({
      publicUrl: parts.publicUrl,
      mediaServerUrl: env.LIVEKIT_WS_URL,
      widget: parts.demoWidget,
    }),
    widgetFiles: startWidgetFiles(parts),
    console: await startConsoleFiles(parts),
    mcp: startMcpProxy(parts, vouchers),
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
  const parts = { ...common, store, nats, teardown, demoWidget, readConsole, liveStreams, beginLimits };
  const readiness = await serve(parts, listeners);
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
