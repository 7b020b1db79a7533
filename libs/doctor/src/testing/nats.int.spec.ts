// Faults of NATS that a single healthy server cannot have: of a cluster, of limits, of age.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { testEngines } from '@parlance/fixtures';
import { eventStreamName } from '@parlance/messaging';
import { ensureEventStream } from '@parlance/postgres';
import { connectNats } from '@parlance/rpc';
import { nats } from '../checks/nats.js';
import { diagnose } from '../diagnosis/diagnose.js';
import { type FakeNats, type FakeNatsOptions, startFakeNats } from './fake-nats.js';

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

let running: FakeNats | undefined;
afterEach(() => running?.stop());

const stream = (cluster?: object, more: object = {}) => ({
  type: 'io.nats.jetstream.api.v1.stream_info_response',
  ...{ created: '2026-01-01T00:00:00Z', state: { messages: 0, bytes: 0, first_seq: 1, last_seq: 0 } },
  config: { name: eventStreamName, num_replicas: 3, ...more },
  ...(cluster === undefined ? {} : { cluster }),
});
const account = (storage: number, limit: number) => ({
  type: 'io.nats.jetstream.api.v1.account_info_response',
  ...{ memory: 0, storage, streams: 1, consumers: 0, api: { total: 1, errors: 0 } },
  limits: { max_memory: -1, max_storage: limit, max_streams: -1, max_consumers: -1 },
});
const noConsumers = {
  type: 'io.nats.jetstream.api.v1.consumer_list_response',
  total: 0,
  offset: 0,
  limit: 256,
  consumers: [],
};
const replica = (name: string, more: object = {}) => ({ name, current: true, active: 1_000, ...more });
const whole = { name: 'c', leader: 'nats-1', replicas: [replica('nats-2'), replica('nats-3')] };
const answers = (change: Readonly<Record<string, unknown>> = {}) => ({
  INFO: account(1, -1),
  [`STREAM.INFO.${eventStreamName}`]: stream(whole),
  [`CONSUMER.LIST.${eventStreamName}`]: noConsumers,
  ...change,
});
const streamIs = (cluster?: object, more?: object) =>
  answers({ [`STREAM.INFO.${eventStreamName}`]: stream(cluster, more) });

const look = async (options: FakeNatsOptions) => {
  running = await startFakeNats(options);
  return diagnose({
    places: [{ process: 'calls-logs', variables: { NATS_URL: running.url } }],
    checks: [nats],
  });
};

it('a healthy cluster has no finding', async () => {
  expect((await look({ answers: answers() })).findings).toEqual([]);
});

describe('it is found that', () => {
  const servers = ['127.0.0.1:1', '127.0.0.1:2', '127.0.0.1:3'];
  it.each<[string, FakeNatsOptions, string, RegExp, string]>([
    [
      'a server with a copy of the event stream is offline',
      {
        answers: streamIs({ ...whole, replicas: [replica('nats-2'), replica('nats-3', { offline: true })] }),
      },
      'NATS_REPLICA_LOST',
      /Start the nats-server that is offline/,
      'nats-3',
    ],
    [
      'the copies of the event stream have no leader',
      { answers: streamIs({ ...whole, leader: '' }) },
      'NATS_REPLICA_LOST',
      /Start the nats-server/,
      eventStreamName,
    ],
    [
      'a copy is behind',
      { answers: streamIs({ ...whole, replicas: [replica('nats-2', { lag: 5_000 }), replica('nats-3')] }) },
      'NATS_REPLICA_BEHIND',
      /disk and the network/,
      'nats-2',
    ],
    [
      'a cluster of three keeps the event stream once',
      {
        info: { cluster: 'c', connect_urls: servers },
        answers: streamIs({ name: 'c', leader: 'nats-1' }, { num_replicas: 1 }),
      },
      'NATS_STREAM_WITHOUT_COPIES',
      /EVENT_STREAM_REPLICAS.*provision/,
      eventStreamName,
    ],
    [
      'the storage of JetStream is nearly full',
      { answers: answers({ INFO: account(95, 100) }) },
      'NATS_STORAGE_NEARLY_FULL',
      /max_file_store/,
      'JetStream',
    ],
    [
      'a service is behind with the events of others',
      {
        answers: answers({
          [`CONSUMER.LIST.${eventStreamName}`]: {
            ...noConsumers,
            ...{ total: 1, consumers: [{ name: 'calls-logs-x', num_pending: 20_000, num_waiting: 1 }] },
          },
        }),
      },
      'NATS_CONSUMER_BEHIND',
      /Run more copies/,
      'calls-logs-x',
    ],
    [
      'the server is too old',
      { info: { version: '2.8.4' }, answers: answers() },
      'NATS_TOO_OLD',
      /[Uu]pgrade|newer/,
      '127.0.0.1',
    ],
    [
      'messages are too small for a call',
      { info: { max_payload: 1_048_576 }, answers: answers() },
      'NATS_MESSAGES_TOO_SMALL',
      /max_payload.*8MB/,
      '127.0.0.1',
    ],
    [
      'JetStream is off',
      { answers: { INFO: { error: { code: 503, err_code: 10_076, description: 'JetStream not enabled' } } } },
      'NATS_WITHOUT_JETSTREAM',
      /Switch JetStream on/,
      eventStreamName,
    ],
  ])('%s', async (_, options, code, advice, subject) => {
    const report = await look(options);
    expect(report.findings.map((finding) => finding.code)).toEqual([code]);
    expect(report.findings[0]?.advice).toMatch(advice);
    expect(report.findings[0]?.subject).toContain(subject);
  });
});

it('a server that has little room left for streams is found at its monitoring port, which alone tells the limit', async () => {
  const limit = 4 * 1024 ** 2;
  const monitoringPort = await freePort();
  const engines = await testEngines({ nats: { maxFileBytes: limit, monitoringPort } });
  const client = await connectNats({ url: engines.natsUrl, name: 'test' });
  await ensureEventStream(client);
  const variables = { NATS_URL: engines.natsUrl, NATS_MONITORING_URL: `http://127.0.0.1:${monitoringPort}` };
  const findings = async () =>
    (await diagnose({ places: [{ process: 'calls-logs', variables }], checks: [nats] })).findings;
  expect(await findings()).toEqual([]);
  await client.jetstream().publish('parlance.evt.test.lamp.lit.v1', new Uint8Array(limit * 0.9));
  expect(await findings()).toEqual([
    expect.objectContaining({
      ...{ code: 'NATS_STORAGE_NEARLY_FULL', subject: `127.0.0.1:${monitoringPort}` },
      ...{ seen: `90 % of ${limit} bytes are in use.`, advice: expect.stringContaining('max_file_store') },
    }),
  ]);
  await client.close();
  await engines.stop();
});
