// NATS with JetStream, as one process reaches it.

import { consumersOf, type ServiceName } from '@parlance/contracts';
import { durableName, eventFilter, eventStreamName, isServiceUser } from '@parlance/messaging';
import { connectNats } from '@parlance/rpc';
import type { ConsumerInfo, JetStreamManager, NatsConnection, StreamInfo } from 'nats';
import { causeInWords, codeOf } from '../probe/causes.js';
import { defineCheck, type FindingKind, type Looking } from '../probe/check.js';
import { ask } from '../probe/http.js';
import { couldNotLook, refused } from '../probe/refusal.js';
import { seenTooOld, tooOld } from '../probe/supported.js';

const runbook = 'docs/runbooks/dependency-down.md';

const findings = {
  NATS_UNREACHABLE: {
    severity: 'broken',
    says: 'NATS cannot be reached.',
    advice: 'Start nats-server, or correct NATS_URL. Look at firewalls between this process and NATS.',
    link: runbook,
  },
  NATS_REFUSES: {
    severity: 'broken',
    says: 'NATS refuses the credentials.',
    advice: 'Compare the user and the password in NATS_URL with the configuration of nats-server.',
    link: runbook,
  },
  NATS_TOO_OLD: tooOld('NATS'),
  NATS_WITHOUT_JETSTREAM: {
    severity: 'broken',
    says: 'JetStream is off, or does not answer.',
    advice: 'Switch JetStream on in the configuration of nats-server: a section jetstream with a store_dir.',
    link: 'docs/operations.md',
  },
  NATS_STREAM_MISSING: {
    severity: 'broken',
    says: 'The event stream is not there.',
    advice:
      'Run provision of the image, or restart a service: both make the stream. Outboxes send lost events again.',
    link: 'docs/operations.md',
  },
  NATS_REPLICA_LOST: {
    severity: 'broken',
    says: 'A copy of the event stream is lost.',
    advice: 'Start the nats-server that is offline. With one more loss the stream stops.',
    link: 'docs/operations.md',
  },
  NATS_REPLICA_BEHIND: {
    severity: 'soon',
    says: 'A copy of the event stream is behind.',
    advice: 'Look at the disk and the network of the nats-server that is behind.',
  },
  NATS_STREAM_WITHOUT_COPIES: {
    severity: 'soon',
    says: 'The event stream has one copy, although NATS is a cluster.',
    advice:
      'Set EVENT_STREAM_REPLICAS to 3, and run provision of the image. The loss of one server would stop events until then.',
    link: 'docs/operations.md',
  },
  NATS_STORAGE_NEARLY_FULL: {
    severity: 'soon',
    says: 'The storage of JetStream is nearly full.',
    advice:
      'Raise max_file_store of nats-server, and the size of its disk. A full JetStream takes no events.',
  },
  NATS_MESSAGES_TOO_SMALL: {
    severity: 'broken',
    says: 'NATS takes messages that are too small for a finished call.',
    advice: 'Set max_payload of nats-server to 8MB.',
    link: 'docs/operations.md',
  },
  NATS_CONSUMER_BEHIND: {
    severity: 'soon',
    says: 'A service is behind with the events of others.',
    advice: 'Look at the log of the service. Run more copies of it if it is healthy and busy.',
    link: 'docs/runbooks/part-in-trouble.md',
  },
  NATS_CONSUMER_GONE: {
    severity: 'broken',
    says: 'No service takes the events of a consumer.',
    advice:
      'Start the service that the consumer belongs to. Delete the consumer if the service is gone for good.',
    link: 'docs/runbooks/part-in-trouble.md',
  },
} as const satisfies Readonly<Record<string, FindingKind>>;
type Code = keyof typeof findings;

/** A finished call is handed over in one message. The gateway takes no larger request. */
const leastPayloadBytes = 8 * 1024 * 1024;
const nearlyFull = 0.85;
/** A cluster of two keeps nothing that one server does not. */
const serversOfCluster = 3;
const manyPending = 10_000;
const manyBehind = 1_000;
/** A service that works asks for events every few seconds. */
const goneAfterMs = 60_000;

const refusals = new Set(['AUTHORIZATION_VIOLATION', 'AUTHENTICATION_EXPIRED', 'PERMISSIONS_VIOLATION']);
const streamNotFound = 10_059;
const consumerNotFound = 10_014;

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
const apiCode = (error: unknown): unknown => field(field(error, 'api_error'), 'err_code');

/** The first address of a list; its credentials count for all. */
const firstOf = (url: string): string => (url.split(',')[0] ?? '').trim();

const hostsOf = (url: string): string =>
  url
    .split(',')
    .map((part) => new URL(part.trim()).host)
    .join(', ');

const lookAtReplicas = ({ found, note }: Looking<Code>, { cluster }: StreamInfo): void => {
  if (cluster === undefined) return;
  if (cluster.leader === undefined || cluster.leader === '')
    found('NATS_REPLICA_LOST', { subject: eventStreamName, seen: 'No copy of the stream leads the others.' });
  for (const { name, offline, current, lag = 0 } of cluster.replicas ?? []) {
    if (offline === true) found('NATS_REPLICA_LOST', { subject: name, seen: 'The leader calls it offline.' });
    else if (!current || lag > manyBehind)
      found('NATS_REPLICA_BEHIND', { subject: name, seen: `It lacks ${lag} operations.` });
  }
  note(`The event stream has ${1 + (cluster.replicas?.length ?? 0)} copies.`);
};

/** A server tells the addresses of its whole cluster. */
const lookAtCopies = ({ found }: Looking<Code>, { config }: StreamInfo, { info }: NatsConnection): void => {
  const servers = info?.connect_urls?.length ?? 0;
  if (servers >= serversOfCluster && config.num_replicas === 1)
    found('NATS_STREAM_WITHOUT_COPIES', {
      subject: eventStreamName,
      seen: `The cluster has ${servers} servers.`,
    });
};

const judgeStorage = ({ found }: Looking<Code>, subject: string, used: number, limit: number): void => {
  if (limit > 0 && used > limit * nearlyFull)
    found('NATS_STORAGE_NEARLY_FULL', {
      subject,
      seen: `${Math.round((used / limit) * 100)} % of ${limit} bytes are in use.`,
    });
};

/** An account without a limit of its own is limited by `max_file_store` alone, which clients are not told. */
const lookAtAccount = async (looking: Looking<Code>, manager: JetStreamManager): Promise<void> => {
  const { storage, limits } = await manager.getAccountInfo();
  judgeStorage(looking, 'JetStream', storage, limits.max_storage);
};

/** The monitoring port of each server tells its `max_file_store`, and the used part of it. */
const lookAtServers = async (looking: Looking<Code>): Promise<void> => {
  const { NATS_MONITORING_URL: urls = '' } = looking.variables;
  for (const url of urls.split(',').filter((part) => part.trim() !== '')) {
    const server = new URL(url.trim());
    try {
      const told: unknown = await (await ask(looking, new URL('/jsz', server))).json();
      const [used, limit] = [field(told, 'storage'), field(field(told, 'config'), 'max_storage')];
      judgeStorage(looking, server.host, Number(used), Number(limit));
      looking.note(`JetStream at ${server.host} uses ${String(used)} of ${String(limit)} bytes.`);
    } catch (error) {
      refused(looking, `the storage of JetStream at ${server.host}`)(error);
    }
  }
};

const lastTaken = ({ delivered, created }: ConsumerInfo): number => {
  const active: unknown = Reflect.get(delivered, 'last_active');
  return Date.parse(typeof active === 'string' ? active : created);
};

const judgeConsumer = ({ found, machine }: Looking<Code>, consumer: ConsumerInfo): void => {
  const { name, num_pending: pending, num_waiting: waiting } = consumer;
  if (pending > 0 && waiting === 0 && machine.now() - lastTaken(consumer) > goneAfterMs)
    found('NATS_CONSUMER_GONE', {
      subject: name,
      seen: `${pending} events wait, and no process asks for them.`,
    });
  else if (pending > manyPending)
    found('NATS_CONSUMER_BEHIND', { subject: name, seen: `${pending} events wait.` });
};

/** The consumers of one service, which its user may ask about one by one. */
const ownConsumers = (service: ServiceName): readonly string[] =>
  consumersOf(service).flatMap(({ durable, events }) =>
    events.map((event) => durableName(durable, eventFilter(event))),
  );

async function* consumersSeenBy(
  { found }: Looking<Code>,
  manager: JetStreamManager,
  user: string,
): AsyncGenerator<ConsumerInfo, void, void> {
  if (!isServiceUser(user)) {
    yield* manager.consumers.list(eventStreamName);
    return;
  }
  for (const name of ownConsumers(user)) {
    try {
      yield await manager.consumers.info(eventStreamName, name);
    } catch (error) {
      if (apiCode(error) !== consumerNotFound) throw error;
      found('NATS_CONSUMER_GONE', { subject: name, seen: 'JetStream knows no such consumer.' });
    }
  }
}

const lookAtConsumers = async (
  looking: Looking<Code>,
  manager: JetStreamManager,
  user: string,
): Promise<void> => {
  let seen = 0;
  for await (const consumer of consumersSeenBy(looking, manager, user)) {
    seen += 1;
    judgeConsumer(looking, consumer);
  }
  looking.note(`${seen} consumers take events.`);
};

const lookAtStream = async (
  looking: Looking<Code>,
  manager: JetStreamManager,
  { nats, user }: { readonly nats: NatsConnection; readonly user: string },
): Promise<void> => {
  const askedAt = looking.machine.now();
  const stream = await manager.streams.info(eventStreamName);
  const time: unknown = Reflect.get(stream, 'ts');
  if (typeof time === 'string') looking.clock('NATS', new Date(time), askedAt);
  lookAtReplicas(looking, stream);
  lookAtCopies(looking, stream, nats);
  await lookAtConsumers(looking, manager, user);
};

const lookAtJetStream = async (looking: Looking<Code>, nats: NatsConnection, user: string): Promise<void> => {
  try {
    // The user of a service may not ask about the account, and needs no answer to that question.
    const manager = await nats.jetstreamManager({ timeout: 3_000, checkAPI: false });
    if (!isServiceUser(user)) await lookAtAccount(looking, manager);
    else if (looking.variables.NATS_MONITORING_URL === undefined)
      couldNotLook(
        looking,
        'the storage of JetStream',
        'NATS_MONITORING_URL is not set, and the user of a service may not ask',
      );
    await lookAtStream(looking, manager, { nats, user });
  } catch (error) {
    const subject = eventStreamName;
    if (apiCode(error) === streamNotFound)
      return looking.found('NATS_STREAM_MISSING', { subject, seen: 'JetStream knows no such stream.' });
    looking.found('NATS_WITHOUT_JETSTREAM', { subject, seen: causeInWords(error) });
  }
};

const lookAtServer = ({ found, note }: Looking<Code>, { info }: NatsConnection, subject: string): void => {
  if (info === undefined) return;
  const old = seenTooOld('NATS', info.version);
  if (old !== undefined) found('NATS_TOO_OLD', { subject, seen: old });
  if (info.max_payload < leastPayloadBytes)
    found('NATS_MESSAGES_TOO_SMALL', { subject, seen: `Its max_payload is ${info.max_payload} bytes.` });
  note(`NATS is ${info.version}.`);
};

export const nats = defineCheck<Code>({
  name: 'nats',
  about:
    'NATS answers, keeps the event stream with all its copies, has room, and services take their events.',
  needs: ['NATS_URL'],
  uses: ['NATS_MONITORING_URL'],
  findings,
  look: async (looking) => {
    const url = looking.variables.NATS_URL ?? '';
    const subject = hostsOf(url);
    let connection: NatsConnection;
    try {
      connection = await connectNats({ url, name: 'doctor', waitsForServer: false });
    } catch (error) {
      const code = refusals.has(codeOf(error) ?? '') ? 'NATS_REFUSES' : 'NATS_UNREACHABLE';
      return looking.found(code, { subject, seen: causeInWords(error) });
    }
    try {
      lookAtServer(looking, connection, subject);
      await lookAtServers(looking);
      await lookAtJetStream(looking, connection, decodeURIComponent(new URL(firstOf(url)).username));
    } finally {
      await connection.close();
    }
  },
});
