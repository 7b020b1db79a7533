// The composition root of this service.
import { Module } from '@nestjs/common';
import { events, serviceRequests } from '@parlance/contracts';
import { createPersonalData, Keyring, pgSubjectKeys } from '@parlance/crypto';
import {
  connectEventStore,
  type EsdbEventStore,
  type Projector,
  publishReactor,
  startReadModel,
} from '@parlance/event-sourcing';
import { createMediaRooms } from '@parlance/media-rooms';
import { connectObjectStorage } from '@parlance/object-storage';
import type { RunningPart, RunningService } from '@parlance/observability';
import { Cursors, countParked, startConsumer } from '@parlance/persistence';
import { completeHandlers } from '@parlance/rpc';
import { type Host, hostService } from '@parlance/service-host';
import { connectTelephony } from '@parlance/telephony';
import { type CrashPoints, crashingAt, noCrashPoints, stopSelf } from './dialing/crash-points.js';
import { DialWorker } from './dialing/dial-worker.js';
import { InDoubtProtocol, type ProtocolParts } from './dialing/in-doubt-protocol.js';
import { Recovery } from './dialing/recovery.js';
import type { Env } from './env.js';
import { outboundCallEvents } from './outbound-call/outbound-call-events.js';
import {
  type OutboundCalls,
  openOutboundCalls,
  outboundCallCategory,
} from './outbound-call/outbound-call-repository.js';
import { OutboundCallsController } from './outbound-call/outbound-calls.controller.js';
import { Parts } from './parts.js';
import { outboundCallsReadModel } from './read-model/outbound-call-projection.js';
import { SuppressionsController } from './suppressions/suppressions.controller.js';
import { translateAttempt } from './telling/publish-attempts.js';

@Module({})
class OutboundDialerModule {}

/** Campaigns are not part of the platform yet. */
const controllers = completeHandlers('outbound-dialer')(
  [OutboundCallsController, SuppressionsController],
  [
    'outboundCalls.batchUploadUrl',
    'outboundCalls.createBatch',
    'outboundCalls.listBatches',
    'outboundCalls.getBatch',
    'outboundCalls.cancelBatch',
  ],
);

const askCallsOver =
  ({ rpc, platformToken, ids }: Host): ProtocolParts['askCalls'] =>
  async (organizationId, callIds) => {
    const context = { caller: await platformToken(organizationId), requestId: ids.next() };
    const { data } = await rpc.call(serviceRequests.callsFacts, { body: { callIds: [...callIds] } }, context);
    return data;
  };

/** Follows the streams: the read model, and what others are told. */
const startFollowers = (host: Host, esdb: EsdbEventStore): readonly Projector[] => {
  const { db, nats, logger } = host;
  const follower = { category: outboundCallCategory, codec: outboundCallEvents, db, esdb, logger };
  return [
    startReadModel(outboundCallsReadModel, { db, esdb, logger }),
    publishReactor({ ...follower, id: 'publish-attempts', nats, translate: translateAttempt }),
  ];
};

/** Settles outbound calls when their calls have ended. */
const startListener = ({ db, nats, logger }: Host, protocol: InDoubtProtocol): RunningPart =>
  startConsumer({
    nats,
    db,
    logger,
    durable: 'outbound-dialer',
    events: [events.callEnded],
    handle: async (_, { id, data }) => {
      if (data.outboundCallId !== null) await protocol.settle(data.outboundCallId, data, id);
    },
  });

const startDialing = async (
  env: Env,
  host: Host,
  calls: OutboundCalls,
  crash: CrashPoints,
): Promise<InDoubtProtocol> => {
  const { db, clock, logger, ids, readiness } = host;
  const rooms = createMediaRooms(env, { logger });
  const askCalls = askCallsOver(host);
  const trunkId = env.SIP_OUTBOUND_TRUNK_ID;
  const protocol = new InDoubtProtocol({ calls, rooms, askCalls, clock, crash, logger, trunkId });
  const holder = ids.next();
  const recovery = new Recovery({ db, clock, logger, holder, protocol, askCalls });
  recovery.start();
  host.own(recovery);
  const worker = new DialWorker({
    db,
    clock,
    crash,
    logger,
    holder,
    maxDials: env.MAX_CONCURRENT_DIALS,
    attempt: (id) => protocol.attempt(id),
  });
  host.own(worker);
  await worker.start();
  readiness.add('mediaServer', { required: false, check: () => rooms.ping() });
  return protocol;
};

const watch = ({ db, readiness }: Host, esdb: EsdbEventStore, followers: readonly Projector[]): void => {
  readiness.add('readModel', { required: true, check: () => db.ping() });
  // Without the event store nothing is dialled and nothing changes, but lists still answer.
  readiness.add('eventStore', { required: false, check: () => esdb.ping() });
  for (const follower of followers) readiness.addLag(follower.name, () => follower.lagMs());
  readiness.addParked('outbound-dialer', () => countParked(db));
};

/** Providers count requests, and their SDKs take a while to load. */
const askedSeldom = { delayMs: 3_000, intervalMs: 30_000, timeoutMs: 5_000 };

/** What no call waits for: where campaigns' files are, and the accounts that numbers belong to. */
const watchOutside = (env: Env, host: Host): void => {
  const { readiness } = host;
  const storage = connectObjectStorage(env);
  if (storage !== undefined) {
    host.own({ name: 'object storage', stop: async () => storage.close() });
    readiness.add('objectStorage', { required: false, check: () => storage.ping(), delayMs: 2_000 });
  }
  for (const { provider, ping } of connectTelephony(env))
    readiness.add(`telephony:${provider}`, { required: false, check: ping, ...askedSeldom });
};

const crashPointsOf = ({ CRASH_AT: dies, STOP_AT: stops }: Env): CrashPoints => {
  if (dies !== undefined) return crashingAt(dies);
  return stops === undefined ? noCrashPoints : crashingAt(stops, stopSelf);
};

/** Starts the service; resolves when it answers. */
export const start = (env: Env): Promise<RunningService> =>
  hostService(env, {
    service: 'outbound-dialer',
    migrations: new URL('../migrations/', import.meta.url),
    build: async (host) => {
      const { db, rpc, clock, ids, platformToken } = host;
      const keyring = new Keyring({ id: env.KEK_ID, key: env.KEK });
      const personalData = createPersonalData({ keyring, store: pgSubjectKeys(db) });
      const esdb = connectEventStore({ url: env.EVENTSTORE_URL, name: 'outbound-dialer', personalData });
      host.own({ name: 'event store', stop: () => esdb.close() });
      const calls = openOutboundCalls(esdb);
      const crash = crashPointsOf(env);
      const followers = startFollowers(host, esdb);
      for (const follower of followers) host.own(follower);
      watch(host, esdb, followers);
      watchOutside(env, host);
      const protocol = await startDialing(env, host, calls, crash);
      host.own(startListener(host, protocol));
      const cursors = new Cursors(env.CURSOR_KEY);
      const allowedCountries = env.OUTBOUND_ALLOWED_COUNTRIES;
      const parts: Parts = { db, calls, rpc, cursors, clock, ids, crash, allowedCountries, platformToken };
      return { module: OutboundDialerModule, controllers, providers: [{ provide: Parts, useValue: parts }] };
    },
  });
