// The worker against a server that speaks LiveKit's protocol for agents. No job is lost or taken twice because a connection
// broke, and one job that fails does not touch the others.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Job, JobStatus, Room, ServerMessage, WorkerMessage } from '@livekit/protocol';
import { eventually } from '@parlance/fixtures';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Assigned, startWorker, type Worker } from './worker.js';

type FromWorker = WorkerMessage['message'];

let server: WebSocketServer;
let sockets: WebSocket[];
let received: FromWorker[];
let worker: Worker | undefined;

const listen = async (port: number): Promise<void> => {
  server = new WebSocketServer({ host: '127.0.0.1', port, path: '/agent' });
  server.on('connection', (socket) => {
    sockets.push(socket);
    socket.on('message', (data: Buffer) => received.push(WorkerMessage.fromBinary(data).message));
  });
  await once(server, 'listening');
};

const crash = (): Promise<void> => {
  for (const socket of sockets.splice(0)) socket.terminate();
  return new Promise((resolve) => server.close(() => resolve()));
};

const send = (message: ServerMessage['message']): void =>
  sockets.at(-1)?.send(new ServerMessage({ message }).toBinary());
const job = (metadata = '{}', id: string = randomUUID()): Job =>
  new Job({ id, metadata, room: new Room({ name: `room-${id}`, creationTimeMs: 1_700_000_000_000n }) });
const offer = (offered: Job): void => send({ case: 'availability', value: { job: offered } as never });
const assign = (assigned: Job): void =>
  send({ case: 'assignment', value: { job: assigned, token: 'token' } as never });

const answersTo = ({ id }: Job) =>
  received.flatMap((message) =>
    message.case === 'availability' && message.value.jobId === id
      ? [{ available: message.value.available, terminate: message.value.terminate }]
      : [],
  );
const endOf = ({ id }: Job) =>
  received.flatMap((message) =>
    message.case === 'updateJob' && message.value.jobId === id ? [message.value] : [],
  );
const registrations = (): number => received.filter((message) => message.case === 'register').length;

const start = (run: (assigned: Assigned) => Promise<void>): Worker => {
  worker = startWorker({
    run,
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: 'key',
    apiSecret: 'a secret of at least thirty-two characters',
    agentName: 'voice',
    workOf: ({ metadata }) => (JSON.parse(metadata) as { readonly callId?: string }).callId,
    log: () => undefined,
  });
  return worker;
};

beforeEach(async () => {
  sockets = [];
  received = [];
  await listen(0);
});
afterEach(async () => {
  worker?.stop();
  await crash();
});

it('registers again after the server crashed, and keeps the job that was running', async () => {
  let finish: () => void = () => undefined;
  start(() => new Promise((resolve) => (finish = resolve)));
  await eventually(() => expect(registrations()).toBe(1));
  const running = job();
  offer(running);
  assign(running);
  await eventually(() => expect(answersTo(running)).toEqual([{ available: true, terminate: false }]));
  const { port } = server.address() as AddressInfo;
  await crash();
  await listen(port);
  await eventually(() => expect(registrations()).toBe(2));
  finish();
  await eventually(() => expect(endOf(running).map(({ status }) => status)).toEqual([JobStatus.JS_SUCCESS]));
});

it('takes a job, and the call that it stands for, once', async () => {
  const runs: string[] = [];
  start(async (assigned) => {
    runs.push(assigned.job.id);
  });
  await eventually(() => expect(registrations()).toBe(1));
  const [first, again] = [job('{"callId":"call-1"}'), job('{"callId":"call-1"}')];
  for (const each of [first, first, again]) offer(each);
  await eventually(() => {
    expect(answersTo(first)).toEqual([
      { available: true, terminate: false },
      { available: false, terminate: true },
    ]);
    expect(answersTo(again)).toEqual([{ available: false, terminate: true }]);
  });
  assign(first);
  assign(first);
  assign(again);
  const last = job();
  offer(last);
  assign(last);
  await eventually(() => expect(runs).toEqual([first.id, last.id]));
});

it('tells that a job failed, and goes on with the next', async () => {
  start(async (assigned) => {
    if (assigned.job.metadata !== '{}') throw new Error('no room');
  });
  await eventually(() => expect(registrations()).toBe(1));
  const [broken, whole] = [job('{"callId":"call-1"}'), job()];
  for (const each of [broken, whole]) {
    offer(each);
    assign(each);
  }
  sockets.at(-1)?.send('not a message of the protocol');
  await eventually(() => {
    expect(endOf(broken).map(({ status, error }) => [status, error])).toEqual([
      [JobStatus.JS_FAILED, 'no room'],
    ]);
    expect(endOf(whole).map(({ status }) => status)).toEqual([JobStatus.JS_SUCCESS]);
  });
});

it('tells a running job that the server has ended it', async () => {
  start(({ terminated }) => once(terminated, 'abort').then(() => undefined));
  await eventually(() => expect(registrations()).toBe(1));
  const ended = job();
  offer(ended);
  assign(ended);
  await eventually(() => expect(answersTo(ended)).toHaveLength(1));
  send({ case: 'termination', value: { jobId: ended.id } as never });
  await eventually(() => expect(endOf(ended)).toHaveLength(1));
});
