// The composition root of this service.
import { Module } from '@nestjs/common';
import { eventConsumers, events } from '@parlance/contracts';
import { createMediaRooms, createOutboundTrunks } from '@parlance/media-rooms';
import type { RunningPart, RunningService } from '@parlance/observability';
import {
  Cursors,
  countParked,
  StoredForm,
  startConsumer,
  startOutboxRelay,
  startRemovals,
} from '@parlance/postgres';
import { completeHandlers } from '@parlance/rpc';
import { type Host, hostService, provided, type ServiceDefinition } from '@parlance/service-host';
import { connectTelephony } from '@parlance/telephony';
import { type AuditParts, countFindings, InventoryAudit, startHourlyAudit } from './audit/inventory-audit.js';
import type { Env } from './env.js';
import { inboundRulesOf } from './inbound-addresses.js';
import { forgetAgent, renameAgent } from './numbers/agents-of-numbers.js';
import { CallerNumbers } from './numbers/caller-numbers.js';
import { InboundPace } from './numbers/inbound-pace.js';
import { NumbersController } from './numbers/numbers.controller.js';
import { Offers } from './numbers/offers.js';
import { startRouteKeeping } from './numbers/route-keeping.js';
import { rateCatalog, recordCatalog } from './pricing/rate-catalog.js';
import type { Providers } from './providers.js';
import { crashingAt, noCrashPoints } from './purchase/crash-points.js';
import { reserveMonthOver } from './purchase/money-of-numbers.js';
import { type PurchaseParts, Purchases } from './purchase/purchases.js';
import { Quotes } from './quotes/quotes.js';
import { startReconciler } from './reconcile/reconciler.js';
import { campaignFromOver } from './release/campaigns-of-numbers.js';
import { Holds } from './release/holds.js';
import { Releases } from './release/releases.js';
import { clearOrganization } from './removal/clear-organization.js';
import { RemovalController } from './removal/removal.controller.js';
import { NumberConfigController } from './runtime/number-config.controller.js';
import { startTrunkKeeping, TrunkKeeper, type Trunks } from './trunks/trunk-keeper.js';
import { lookSoon, suspectTrunks, trunkIdOf } from './trunks/trunk-rows.js';

@Module({})
class TelephonyNumbersModule {}

const controllers = completeHandlers('telephony-numbers')([
  NumbersController,
  NumberConfigController,
  RemovalController,
]);

/** Providers count requests, and their SDKs take a while to load. */
const askedSeldom = { delayMs: 3_000, intervalMs: 30_000, timeoutMs: 5_000 };
/** A buyer looks for the number's owner, twice if that fails, and sends its request to buy. */
const timeoutsOfABuyer = 3;
const freshMs = 5_000;
const hourMs = 3_600_000;

/** Agents that are renamed or deleted. */
const startListener = ({ db, nats, logger, clock, ids }: Host): RunningPart =>
  startConsumer({
    ...{ nats, db, logger, ...eventConsumers['telephony-numbers'].agents },
    handle: async (tx, event) => {
      const { organizationId, data } = event;
      if (event.name === events.agentDeleted.name)
        await forgetAgent(tx, { clock, ids }, organizationId, data.agentId);
      else await renameAgent(tx, organizationId, data, event.occurredAt);
    },
  });

/** Organizations that are removed. */
const startClearing = (host: Host): RunningPart => {
  const clear = (organizationId: string): Promise<boolean> => clearOrganization(host, organizationId);
  return startRemovals({ ...host, ...eventConsumers['telephony-numbers'].removals, clear });
};

/** Statuses with which a provider turns a call away because of its caller, and not because of its destination. */
const turnedAway: readonly (number | undefined)[] = [401, 403, 407];
/** The media server's word for a provider that took none of its credentials. */
const refusedCredentials = 'sip_credentials_refused';
const quietMs = 600_000;

/** Calls that a provider turned away, which may be the first sign of changed credentials. */
const startSuspicions = ({ db, nats, logger, clock }: Host): RunningPart =>
  startConsumer({
    ...{ nats, db, logger, ...eventConsumers['telephony-numbers'].trunks },
    handle: async (tx, { data: { error } }) => {
      if (turnedAway.includes(error?.sipStatus) || error?.providerCode === refusedCredentials)
        await suspectTrunks(tx, clock.now(), quietMs);
      // A number that does not exist, or a trunk that does not.
      if (error?.sipStatus === 404) await lookSoon(tx, clock.now(), quietMs);
    },
  });

/** The trunks of the provider accounts; with a trunk of the operator's own, none is made. */
const openTrunks = (env: Env, host: Host, providers: Providers): Trunks | undefined => {
  if (env.SIP_OUTBOUND_TRUNK_ID !== undefined) return undefined;
  const { db, clock, logger } = host;
  const keeper = new TrunkKeeper({
    ...{ db, clock, logger, providers, crash: crashPointsOf(env) },
    trunks: createOutboundTrunks(env),
    installation: env.INSTALLATION_NAME,
    sipHost: env.SIP_INBOUND_HOST,
    places: {
      instead: { TWILIO: env.TWILIO_SIP_HOST, TELNYX: env.TELNYX_SIP_HOST },
      transport: env.SIP_OUTBOUND_TRANSPORT,
    },
  });
  host.own(startTrunkKeeping(keeper, host));
  host.own(startSuspicions(host));
  return { idFor: (provider) => trunkIdOf(db, provider), ready: (account) => keeper.ready(account) };
};

const crashPointsOf = ({ CRASH_AT: point }: Env) => (point === undefined ? noCrashPoints : crashingAt(point));

const purchaseParts = (
  env: Env,
  host: Host,
  providers: Providers,
  trunks: Trunks | undefined,
): PurchaseParts => {
  const { db, clock, ids, logger, readiness } = host;
  const rooms = createMediaRooms(env, { logger });
  readiness.add('mediaServer', { required: false, check: () => rooms.ping() });
  const claimMs = timeoutsOfABuyer * env.PROVIDER_TIMEOUT_MS + env.DIAL_GRACE_MS + 2_000;
  return {
    db,
    clock,
    ids,
    logger,
    providers,
    rooms,
    reserveMonth: reserveMonthOver(host),
    crash: crashPointsOf(env),
    holder: ids.next(),
    installation: env.INSTALLATION_NAME,
    sipHost: env.SIP_INBOUND_HOST,
    inboundRules: inboundRulesOf(env),
    trunks,
    claimMs,
    // Never while its request may still be on its way.
    doubtMs: Math.max(
      env.PURCHASE_DOUBT_SECONDS * 1_000,
      freshMs + timeoutsOfABuyer * env.PROVIDER_TIMEOUT_MS,
    ),
    patienceMs: env.PURCHASE_PATIENCE_SECONDS * 1_000,
  };
};

const startAudit = (env: Env, { db, clock, logger, readiness }: Host, providers: Providers): RunningPart => {
  const parts: AuditParts = {
    db,
    clock,
    logger,
    providers,
    installation: env.INSTALLATION_NAME,
    orphanPatienceMs: env.ORPHAN_RELEASE_HOURS * hourMs,
  };
  readiness.addParked('inventory', () => countFindings(db));
  return startHourlyAudit(new InventoryAudit(parts), parts);
};

const watch = ({ db, readiness }: Host, providers: Providers): void => {
  readiness.add('readModel', { required: true, check: () => db.ping() });
  readiness.addParked('telephony-numbers', () => countParked(db));
  for (const account of providers.values())
    readiness.add(`telephony:${account.provider}`, {
      required: false,
      check: () => account.ping(),
      ...askedSeldom,
    });
};

/**
 * Starts the service; resolves when it answers.
 * @param instead a clock that a test sets
 */
export const start = (env: Env, instead: Pick<ServiceDefinition, 'clock'> = {}): Promise<RunningService> =>
  hostService(env, {
    service: 'telephony-numbers',
    migrations: new URL('../migrations/', import.meta.url),
    ...instead,
    build: async (host) => {
      const { db, nats, clock, ids, logger } = host;
      const providers: Providers = new Map(connectTelephony(env).map((one) => [one.provider, one]));
      watch(host, providers);
      const catalog = rateCatalog(env.BILLING_MODE, {
        markupBasisPoints: env.NUMBER_MARKUP_BASIS_POINTS,
        minimumMarkupMicros: env.NUMBER_MARKUP_MINIMUM_MICROS,
      });
      await recordCatalog(db, catalog, clock.now());
      host.own(startOutboxRelay({ db, nats, logger }));
      host.own(startListener(host));
      host.own(startClearing(host));
      const trunks = openTrunks(env, host, providers);
      const working = purchaseParts(env, host, providers, trunks);
      const purchases = new Purchases(working);
      const composed = await StoredForm.read(db, { name: 'facts-of-the-dialer' });
      const holds = new Holds({ db, ids, known: composed });
      const releases = new Releases({
        ...working,
        campaignFrom: campaignFromOver(host),
        dialGraceMs: env.DIAL_GRACE_MS,
      });
      host.own(startReconciler({ ...working, purchases, releases }));
      host.own(startAudit(env, host, providers));
      for (const part of startRouteKeeping(working)) host.own(part);
      const { BILLING_MODE: billing, DIAL_GRACE_MS: goodForMs } = env;
      const quotes = new Quotes(env.QUOTE_KEY, env.QUOTE_KEY_PREVIOUS ? [env.QUOTE_KEY_PREVIOUS] : []);
      const trunkIdFor = trunks?.idFor ?? (async () => env.SIP_OUTBOUND_TRUNK_ID ?? null);
      return {
        module: TelephonyNumbersModule,
        controllers,
        providers: provided(
          new Cursors(env.CURSOR_KEY),
          new Offers({ providers, quotes, catalog, billing, clock, ids }),
          new CallerNumbers({
            ...{ db, providers, billing, goodForMs, trunkIdFor },
            decided: (phoneNumber) => holds.decided(phoneNumber),
          }),
          new InboundPace({ ...working, perMinute: env.INBOUND_CALLS_PER_MINUTE }),
          purchases,
          releases,
          holds,
          composed,
        ),
      };
    },
  });
