import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Caller, contract } from '@parlance/contracts';
import { AppError, type ErrorCode } from '@parlance/errors';
import { headers as natsHeaders } from 'nats';
import type { RequestSigner } from './callers/request-signer.js';
import { RpcClient, type RpcClientOptions } from './client.js';
import { playedBroker, type SentRequest } from './testing/played-broker.js';
import { encodeReply } from './wire/reply.js';

const agentId = '018f0000-0000-7000-8000-000000000001';
const input = { params: { agentId }, query: {}, body: {} };
const timeoutMs = 3_000;
const answer = encodeReply({ data: [] });
const failure = (code: ErrorCode) => encodeReply({ error: new AppError(code).toWire() });

/** A process that asks, and the services that the test plays. */
const asker = (options: Partial<RpcClientOptions> = {}) => {
  const { nats, give, sent } = playedBroker();
  const sign = async () => ({ payload: Buffer.alloc(0), headers: natsHeaders() });
  const signer = { sign } as unknown as RequestSigner; // all that the client uses
  const client = new RpcClient(nats, { signer, timeoutMs, repeatsReads: true, ...options });
  const context = () => ({
    caller: {} as Caller, // the signer is played
    requestId: 'r1',
    deadline: Date.now() + timeoutMs,
  });
  const read = () => client.dispatch(contract.agentsListConfigVersions, input, context());
  const write = () => client.dispatch(contract.agentsDelete, input, context());
  const reply = (request: SentRequest | undefined, data = answer) =>
    give({ subject: request?.reply, data: Buffer.from(data) });
  /** One other request, and the service's answer. */
  const meanwhile = async (data?: string): Promise<void> => {
    const asked = read().catch(() => undefined);
    await jest.advanceTimersByTimeAsync(0);
    reply(sent.pop(), data);
    await asked;
  };
  return { read, write, reply, meanwhile, sent };
};

const outcomeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: AppError) => error.code,
  );
/** Each try has its own reply subject. */
const triesOf = (sent: readonly SentRequest[]): number => new Set(sent.map(({ reply }) => reply)).size;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a read that is late', () => {
  it('is answered at its next try, while the service answers others', async () => {
    const { read, reply, meanwhile, sent } = asker();
    const outcome = outcomeOf(read());
    await jest.advanceTimersByTimeAsync(2_000);
    await meanwhile();
    await jest.advanceTimersByTimeAsync(1_001);
    expect(triesOf(sent)).toBe(2);
    reply(sent.at(-1));
    expect(await outcome).toBe('answered');
  });

  it.each<[ErrorCode, number]>([
    ['UPSTREAM_TIMEOUT', 10],
    ['SERVICE_UNAVAILABLE', 1_000],
  ])('is tried again when a copy answers %s after %d ms', async (code, ms) => {
    const { read, reply, meanwhile, sent } = asker();
    const outcome = outcomeOf(read());
    await jest.advanceTimersByTimeAsync(ms - 1);
    await meanwhile();
    await jest.advanceTimersByTimeAsync(1);
    reply(sent[0], failure(code));
    await jest.advanceTimersByTimeAsync(0);
    reply(sent.at(-1));
    expect(await outcome).toBe('answered');
    expect(triesOf(sent)).toBe(2);
  });

  it('is tried for ten seconds, however many others are answered', async () => {
    const { read, meanwhile, sent } = asker();
    let ended = false;
    const outcome = outcomeOf(read()).finally(() => {
      ended = true;
    });
    for (let second = 0; second < 9; second += 1) {
      await jest.advanceTimersByTimeAsync(990);
      await meanwhile();
    }
    await jest.advanceTimersByTimeAsync(1_000);
    expect(ended).toBe(false);
    await jest.advanceTimersByTimeAsync(200);
    expect(await outcome).toBe('UPSTREAM_TIMEOUT');
    expect(triesOf(sent)).toBe(4);
  });

  it.each<[string, (parts: ReturnType<typeof asker>) => Promise<unknown>]>([
    ['the service has answered nothing since', async () => undefined],
    ['the service only fails since', ({ meanwhile }) => meanwhile(failure('AGENT_NOT_FOUND'))],
  ])('fails in its time when %s', async (_, happens) => {
    const parts = asker();
    await parts.meanwhile();
    await jest.advanceTimersByTimeAsync(1);
    const outcome = outcomeOf(parts.read());
    await jest.advanceTimersByTimeAsync(10);
    await happens(parts);
    await jest.advanceTimersByTimeAsync(timeoutMs);
    expect(await outcome).toBe('UPSTREAM_TIMEOUT');
    expect(triesOf(parts.sent)).toBe(1);
  });

  it('fails in its time when repetitions are used up', async () => {
    const { read, meanwhile, sent } = asker();
    const reads = Array.from({ length: 200 }, () => outcomeOf(read()));
    await jest.advanceTimersByTimeAsync(10);
    await meanwhile();
    await jest.advanceTimersByTimeAsync(timeoutMs);
    await Promise.all(reads);
    expect(triesOf(sent)).toBe(200);
  });
});

it('a read that a copy refuses at once is not tried again', async () => {
  const { read, reply, meanwhile, sent } = asker();
  const outcome = outcomeOf(read());
  await jest.advanceTimersByTimeAsync(10);
  await meanwhile();
  reply(sent[0], failure('SERVICE_UNAVAILABLE'));
  expect(await outcome).toBe('SERVICE_UNAVAILABLE');
  expect(sent).toHaveLength(1);
});

it.each([
  ['a late read of a process that is asked again itself', { repeatsReads: false }, 'read'],
  ['a late write', {}, 'write'],
] as const)('%s has one try', async (_, options, kind) => {
  const { [kind]: ask, meanwhile, sent } = asker(options);
  const outcome = outcomeOf(ask());
  await jest.advanceTimersByTimeAsync(10);
  await meanwhile();
  await jest.advanceTimersByTimeAsync(timeoutMs);
  expect(await outcome).toBe('UPSTREAM_TIMEOUT');
  expect(sent).toHaveLength(1);
});
