// Request and reply through a real nats-server, with the handlers in a real Nest application.
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DynamicModule, Module } from '@nestjs/common';
import { readCallerEnv } from '@parlance/config';
import { type Caller, contract, type Data, serviceRequests, subjectOf } from '@parlance/contracts';
import { startNats } from '@parlance/engines';
import { AppError } from '@parlance/errors';
import {
  callerEnvOf,
  callerVariables,
  eventually,
  gate,
  type TestEngines,
  testEngines,
} from '@parlance/fixtures';
import { createLogger, currentContext, inTransactionScope, Readiness } from '@parlance/observability';
import { createInbox, headers, type Msg, type MsgHdrs, type NatsConnection } from 'nats';
import {
  answer,
  connectNats,
  encodeReply,
  type Handler,
  platformCaller,
  ReadinessCollector,
  RequestSigner,
  RequestVerifier,
  RpcClient,
  type RpcContext,
  type RpcRequest,
  type RpcService,
  Serves,
  startReadinessReporter,
  startRpcService,
} from './index.js';

type ForCall = typeof serviceRequests.agentsForCall;
const { agentsForCall: forCall } = serviceRequests;
const caller = platformCaller('gateway', 'org_1');
const signer = new RequestSigner('gateway', callerEnvOf('gateway'));
const agentId = '018f0000-0000-7000-8000-000000000001';
const agent: Data<ForCall> = {
  agentId,
  name: 'Ada',
  isActive: true,
  configVersion: 1,
  allowedOverrides: [],
  maxDurationSeconds: 3_600,
};

/** The behaviour of the one handler of these tests; each test sets it. */
class Script {
  behave: Handler<ForCall> = async () => agent;
  readonly seen: RpcRequest<ForCall>[] = [];
  /** The context of a request that reads. */
  inside: unknown;
}

@Serves()
class Agents {
  readonly #script: Script;

  constructor(script: Script) {
    this.#script = script;
  }

  async 'agents.forCall'(request: RpcRequest<ForCall>): ReturnType<Handler<ForCall>> {
    this.#script.seen.push(request);
    return this.#script.behave(request);
  }

  async 'agents.listConfigVersions'(): Promise<never> {
    this.#script.inside = currentContext();
    throw new AppError('AGENT_NOT_FOUND');
  }
}

@Module({})
class AgentsModule {}

const moduleOf = (script: Script): DynamicModule => ({
  module: AgentsModule,
  controllers: [Agents],
  providers: [{ provide: Script, useValue: script }],
});

let engines: TestEngines;
let nats: NatsConnection;
let serviceNats: NatsConnection;
let script: Script;
let service: RpcService;
let lines: Record<string, unknown>[];

const collecting = () => ({
  write: (line: string) => {
    lines.push(JSON.parse(line));
  },
});

const ownVerifier = () => new RequestVerifier('agents-config', callerEnvOf('agents-config'));

const startService = (
  connection: NatsConnection,
  scripted: Script,
  maxInFlight = 1_000,
  verifier = ownVerifier(),
  prepare?: () => Promise<void>,
) =>
  startRpcService({
    service: 'agents-config',
    nats: connection,
    verifier,
    logger: createLogger({ service: 'agents-config', level: 'debug', destination: collecting() }),
    module: moduleOf(scripted),
    maxInFlight,
    ...(prepare === undefined ? {} : { prepare }),
  });

const context = (overrides: Partial<RpcContext> = {}): RpcContext => ({
  caller,
  requestId: 'req-1',
  ...overrides,
});
const ask = (overrides: Partial<RpcContext> = {}, timeoutMs = 30_000) =>
  new RpcClient(nats, { signer, timeoutMs }).call(forCall, { body: { agentId } }, context(overrides));

beforeAll(async () => {
  engines = await testEngines({ nats: true });
});
afterAll(async () => {
  await engines.stop();
});
beforeEach(async () => {
  lines = [];
  script = new Script();
  nats = await connectNats({ url: engines.natsUrl, name: 'gateway' });
  serviceNats = await connectNats({ url: engines.natsUrl, name: 'agents-config' });
  service = await startService(serviceNats, script);
});
afterEach(async () => {
  await service.stop();
  await Promise.all([nats.close(), serviceNats.close()]);
});

describe('a request', () => {
  it('reaches the handler with its parts, the caller and the context of its request', async () => {
    let inside: unknown;
    script.behave = async () => {
      inside = currentContext();
      return agent;
    };
    expect(await ask({ commandId: 'command-1' })).toEqual({ data: agent });
    expect(script.seen[0]).toMatchObject({
      body: { agentId },
      params: {},
      query: {},
      requestId: 'req-1',
      commandId: 'command-1',
      caller: platformCaller('gateway', 'org_1'),
    });
    expect(inside).toEqual({
      requestId: 'req-1',
      organizationId: 'org_1',
      actor: 'platform:gateway',
      deadline: expect.any(Number),
      changesNothing: false,
    });
  });

  it('of a GET tells that it changes nothing', async () => {
    const input = { params: { agentId }, query: {} };
    const asked = new RpcClient(nats, { signer }).call(contract.agentsListConfigVersions, input, context());
    await expect(asked).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' });
    expect(script.inside).toMatchObject({ changesNothing: true, deadline: expect.any(Number) });
  });

  it('carries the cursor, sentence and repetition note of the answer back', async () => {
    script.behave = async () => answer(agent, { nextCursor: 'next', message: 'Here', repeated: true });
    expect(await ask()).toEqual({ data: agent, nextCursor: 'next', message: 'Here', repeated: true });
  });

  it('inside a database transaction is refused in a test, so that no service makes one', async () => {
    const client = new RpcClient(nats, { asker: 'knowledge', signer });
    const request = () => client.call(forCall, { body: { agentId } }, context());
    await expect(inTransactionScope(request)).rejects.toThrow(
      'agents.forCall is requested inside a database transaction',
    );
    expect(script.seen).toEqual([]);
  });

  it('that does not fit its row is refused before it is sent', async () => {
    const asked = new RpcClient(nats, { signer }).call(forCall, { body: { agentId: 'nobody' } }, context());
    await expect(asked).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'body.agentId' }] },
    });
    expect(script.seen).toEqual([]);
  });
});

describe('a failure', () => {
  it('of a known kind keeps its code, its details and when to retry', async () => {
    script.behave = async () => {
      throw new AppError('RATE_LIMITED', { details: { limit: 5 }, retryAfterSeconds: 7, cause: 'inside' });
    };
    const error = await ask().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { limit: 5 }, retryAfterSeconds: 7 });
    expect(JSON.stringify(error)).not.toContain('inside');
  });

  it('of an unknown kind says nothing to the caller and everything to the log', async () => {
    script.behave = async () => {
      throw new TypeError('cannot read the secret plan');
    };
    const error = await ask().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', details: undefined });
    expect(JSON.stringify(error)).not.toContain('secret plan');
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'error',
        requestId: 'req-1',
        organizationId: 'org_1',
        err: expect.objectContaining({
          message: 'cannot read the secret plan',
          stack: expect.stringContaining('rpc.int.spec'),
        }),
      }),
    ]);
  });

  it('to answer within the broker’s size limit is told at once', async () => {
    script.behave = async () => ({ ...agent, name: 'x'.repeat(9 * 1024 * 1024) });
    await expect(ask()).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });
});

describe('a caller', () => {
  /** The next request as a listener on the broker sees it. */
  const overheard = async (): Promise<Msg> => {
    const listener = nats.subscribe(subjectOf(forCall), { max: 1 });
    await nats.flush();
    await ask();
    const { value } = await listener[Symbol.asyncIterator]().next();
    return value;
  };
  /** Sends a message as it is, and gives the answer's code; `taken` when the handler answered. */
  const sendRaw = async (data: Uint8Array, carrier: MsgHdrs, reply = createInbox()): Promise<string> => {
    const answers = nats.subscribe(reply, { max: 1 });
    nats.publish(subjectOf(forCall), data, { headers: carrier, reply });
    const { value } = await answers[Symbol.asyncIterator]().next();
    const text: string = value.string();
    return /"code":"(\w+)"/.exec(text)?.[1] ?? 'taken';
  };
  const askAs = (signing: RequestSigner, who: Caller) =>
    new RpcClient(nats, { signer: signing }).call(
      forCall,
      { body: { agentId } },
      { caller: who, requestId: 'req-1' },
    );
  const refused = { code: 'UNAUTHENTICATED' };

  it('that nobody signed reaches no handler, and the log says why', async () => {
    const carrier = headers();
    carrier.set('x-request-id', 'req-1');
    expect(await sendRaw(Buffer.from('{"body":{}}'), carrier)).toBe('UNAUTHENTICATED');
    expect(script.seen).toEqual([]);
    expect(JSON.stringify(lines)).toContain('request without a caller token');
  });

  it('is believed of the gateway, and of a service for itself alone', async () => {
    const widgets = new RequestSigner('widgets', callerEnvOf('widgets'));
    const user: Caller = { ...caller, actor: { type: 'user', id: 'user_1' }, role: 'owner' };
    await askAs(widgets, platformCaller('widgets', 'org_1'));
    await askAs(signer, user);
    expect(script.seen.map((request) => request.caller)).toEqual([platformCaller('widgets', 'org_1'), user]);
    for (const who of [user, caller]) await expect(askAs(widgets, who)).rejects.toMatchObject(refused);
    expect(script.seen).toHaveLength(2);
  });

  it('whose request was overheard cannot be played again, with other words or elsewhere', async () => {
    const { data, headers: carrier, reply } = await overheard();
    if (carrier === undefined) throw new Error('a request has headers');
    expect(await sendRaw(data, carrier, reply)).toBe('UNAUTHENTICATED');
    expect(await sendRaw(data, carrier)).toBe('UNAUTHENTICATED');
    expect(await sendRaw(Buffer.from('{"body":{"agentId":"other"}}'), carrier, reply)).toBe(
      'UNAUTHENTICATED',
    );
    expect(script.seen).toHaveLength(1);
    const log = JSON.stringify(lines);
    for (const reason of ['was taken before', 'is for another request']) expect(log).toContain(reason);
  });

  it('of version 0.1 is believed by a process that has CALLER_SIGNING_KEY, and by no other', async () => {
    const CALLER_SIGNING_KEY = 'a signing key of thirty-two bytes';
    const both = (name: 'gateway' | 'agents-config') =>
      readCallerEnv({ ...callerVariables(name), CALLER_SIGNING_KEY });
    const verifier = new RequestVerifier('agents-config', both('agents-config'));
    await askAs(new RequestSigner('gateway', both('gateway')), caller);
    // Version 0.1 sends the one header and not the other.
    const earlier = await new RequestSigner('gateway', both('gateway')).sign({
      ...{ subject: subjectOf(forCall), service: 'agents-config', reply: createInbox(), caller },
      ...{ json: JSON.stringify({ params: {}, query: {}, body: { agentId } }), isConfidential: false },
      ...{ requestId: 'req-1', deadline: Date.now() + 30_000, commandId: undefined },
    });
    earlier.headers.delete('x-caller-token');
    expect(await sendRaw(earlier.payload, earlier.headers)).toBe('UNAUTHENTICATED');
    await service.stop();
    service = await startService(serviceNats, script, 1_000, verifier);
    expect(await sendRaw(earlier.payload, earlier.headers)).toBe('taken');
    await askAs(signer, caller);
    expect(script.seen).toHaveLength(3);
  });
});

describe('an envelope', () => {
  /** The requests of the test as they are on the wire. */
  const overhear = async () => {
    const forms: ('envelope' | 'signed')[] = [];
    const listener = nats.subscribe(subjectOf(forCall), {
      callback: (_, message) => {
        forms.push(message.headers?.has('x-caller-token') ? 'signed' : 'envelope');
      },
    });
    await nats.flush();
    return { forms, stop: () => listener.unsubscribe() };
  };
  const askWith = (client: RpcClient) => client.call(forCall, { body: { agentId } }, context());

  /** A replica of the release before: it knows no envelopes and marks no replies. */
  const startEarlierReplica = async (): Promise<() => Promise<void>> => {
    const refusal = encodeReply({ error: new AppError('UNAUTHENTICATED').toWire() });
    const replica = serviceNats.subscribe(subjectOf(forCall), {
      queue: 'agents-config',
      callback: (_, message) =>
        message.respond(message.headers?.has('x-caller-token') ? encodeReply({ data: agent }) : refusal),
    });
    await serviceNats.flush();
    return async () => {
      replica.unsubscribe();
      await serviceNats.flush();
    };
  };

  it('replaces the signed request once the service has said that it takes envelopes', async () => {
    const { forms, stop } = await overhear();
    const client = new RpcClient(nats, { signer, timeoutMs: 30_000 });
    for (const _ of [1, 2, 3]) expect(await askWith(client)).toEqual({ data: agent });
    await nats.flush();
    expect(forms).toEqual(['signed', 'envelope', 'envelope']);
    const [first, second] = script.seen;
    expect({ ...second, deadline: 0, signal: null }).toEqual({ ...first, deadline: 0, signal: null });
    stop();
  });

  it('is sent anew as a signed request when a replica of the release before refuses it, and not tried again soon', async () => {
    const client = new RpcClient(nats, { signer, timeoutMs: 30_000 });
    await askWith(client);
    await service.stop();
    const stopReplica = await startEarlierReplica();
    const { forms, stop } = await overhear();
    for (const _ of [1, 2]) expect(await askWith(client)).toEqual({ data: agent });
    service = await startService(serviceNats, script);
    await stopReplica();
    expect(await askWith(client)).toEqual({ data: agent });
    await nats.flush();
    expect(forms).toEqual(['envelope', 'signed', 'signed', 'signed']);
    stop();
  });

  it('that is refused for its caller is not sent a second time', async () => {
    const client = new RpcClient(nats, { signer: new RequestSigner('widgets', callerEnvOf('widgets')) });
    const askAs = (who: Caller) =>
      client.call(forCall, { body: { agentId } }, { caller: who, requestId: 'req-1' });
    await askAs(platformCaller('widgets', 'org_1'));
    const { forms, stop } = await overhear();
    await expect(askAs(caller)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await nats.flush();
    expect(forms).toEqual(['envelope']);
    stop();
  });
});

describe('a read that a copy takes and does not answer', () => {
  const reading = (options: { readonly repeatsReads: boolean; readonly timeoutMs: number }) =>
    new RpcClient(nats, { signer, ...options }).call(
      contract.agentsListConfigVersions,
      { params: { agentId }, query: {} },
      context(),
    );

  /** A copy that is stopped in the middle of its work: it takes one request and never answers. */
  const silentCopy = async (onRequest: () => void): Promise<void> => {
    const callback = () => {
      stuck.unsubscribe();
      onRequest();
    };
    const subject = subjectOf(contract.agentsListConfigVersions);
    const stuck = serviceNats.subscribe(subject, { queue: 'agents-config', callback });
    await serviceNats.flush();
  };

  /** Asks while the stuck copy is the only one; a working copy starts when the stuck one has the request. */
  const askStuckCopy = async (options: Parameters<typeof reading>[0]): Promise<unknown> => {
    await service.stop();
    let working: Promise<RpcService> | undefined;
    await silentCopy(() => {
      working = startService(serviceNats, script);
    });
    const failure = await reading(options).catch((error: unknown) => error);
    service = await (working ?? Promise.reject(new Error('no copy was stuck')));
    return failure;
  };

  it('is answered by another copy before its time is up', async () => {
    const answered = await askStuckCopy({ repeatsReads: true, timeoutMs: 6_000 });
    expect(answered).toMatchObject({ code: 'AGENT_NOT_FOUND' });
  });

  it('is sent once by a process that is itself asked again', async () => {
    const answered = await askStuckCopy({ repeatsReads: false, timeoutMs: 600 });
    expect(answered).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(script.inside).toBeUndefined();
  });
});

describe('time', () => {
  it('limits how long an answer is waited for', async () => {
    const door = gate();
    script.behave = async () => {
      await door.opened;
      return agent;
    };
    const startedAt = performance.now();
    await expect(ask({}, 100)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    await expect(ask({ deadline: Date.now() + 100 })).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    door.open();
  });

  it('that is already up sends nothing', async () => {
    await expect(ask({ deadline: Date.now() - 1 })).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(script.seen).toEqual([]);
  });

  it('makes a service drop a request that nobody waits for', async () => {
    const late = await captureRequest({ deadline: Date.now() + 500 });
    await eventually(() => expect(Date.now()).toBeGreaterThan(late.deadline));
    late.replay();
    await ask();
    expect(script.seen).toHaveLength(1);
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'expired request dropped', expired: 1 }));
  });
});

/** Takes a request off the wire before the service sees it, to send it on later. */
const captureRequest = async (overrides: Partial<RpcContext>) => {
  await service.stop();
  const interceptor = nats.subscribe(subjectOf(forCall));
  await expect(ask(overrides)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  const { value: message } = await interceptor[Symbol.asyncIterator]().next();
  interceptor.unsubscribe();
  script = new Script();
  service = await startService(serviceNats, script);
  return {
    deadline: Number(message.headers.get('x-deadline')),
    replay: () => nats.publish(message.subject, message.data, { headers: message.headers, reply: 'nobody' }),
  };
};

describe('a service that is away', () => {
  it('is unavailable at once', async () => {
    const startedAt = performance.now();
    const asked = new RpcClient(nats, { signer, timeoutMs: 30_000 }).dispatch(
      contract.agentsGetConfig,
      { params: { agentId }, query: {}, body: {} },
      context(),
    );
    await expect(asked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 });
    expect(performance.now() - startedAt).toBeLessThan(20_000); // the time limit is 30 s
  });

  it('is away until it has prepared itself', async () => {
    await service.stop();
    const { opened: preparing, open: prepared } = gate();
    const starting = startService(serviceNats, script, 1_000, ownVerifier(), () => preparing);
    await expect(ask()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    prepared();
    service = await starting;
    await expect(ask()).resolves.toMatchObject({ data: agent });
  });

  it('with more to do than it can hold refuses at once instead of queueing', async () => {
    await service.stop();
    const door = gate();
    script = new Script();
    script.behave = async () => {
      await door.opened;
      return agent;
    };
    service = await startService(serviceNats, script, 2);
    const held = [ask(), ask()];
    await eventually(() => expect(script.seen).toHaveLength(2));
    await expect(ask()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    door.open();
    await Promise.all(held);
  });

  it('shares its requests with its other copies', async () => {
    const other = new Script();
    const otherNats = await connectNats({ url: engines.natsUrl, name: 'agents-config' });
    const copy = await startService(otherNats, other);
    await Promise.all(Array.from({ length: 40 }, () => ask()));
    expect(script.seen.length + other.seen.length).toBe(40);
    expect(script.seen.length).toBeGreaterThan(0);
    expect(other.seen.length).toBeGreaterThan(0);
    await copy.stop();
    await otherNats.close();
  });
});

describe('stopping', () => {
  it('answers what is in flight and takes nothing new', async () => {
    const door = gate();
    script.behave = async () => {
      await door.opened;
      return agent;
    };
    const inFlight = ask({}, 20_000);
    await eventually(() => expect(script.seen).toHaveLength(1));
    const stopped = service.stop();
    // One that comes before the broker has been told is still in time, and waits at the gate too.
    const refused = (patienceMs = 500) =>
      expect(ask({}, patienceMs)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await eventually(() => refused());
    const taken = script.seen.length;
    await refused(30_000);
    expect(script.seen).toHaveLength(taken);
    door.open();
    expect(await inFlight).toEqual({ data: agent });
    await stopped;
  });
});

describe('readiness', () => {
  const readinessOf = (draining: boolean, trouble?: string) => {
    const readiness = new Readiness(createLogger({ service: 'x', level: 'silent' }));
    readiness.draining = draining;
    readiness.addPart({ name: 'relay', stop: async () => undefined, trouble: () => trouble });
    return readiness;
  };

  it('of a service is known from its copies: one that works speaks for all, and no trouble is hidden', async () => {
    let now = Date.now();
    const collector = new ReadinessCollector(nats, { now: () => new Date(now) });
    await nats.flush();
    const leaving = startReadinessReporter({
      nats: serviceNats,
      service: 'agents-config',
      readiness: readinessOf(true, 'cannot publish'),
    });
    await eventually(() => expect(collector.reports().has('agents-config')).toBe(true));
    expect(collector.reports().get('agents-config')).toBeUndefined();
    const serving = startReadinessReporter({
      nats: serviceNats,
      service: 'agents-config',
      readiness: readinessOf(false),
    });
    const troubles = [{ part: 'relay', reason: 'cannot publish' }];
    await eventually(() =>
      expect(collector.reports().get('agents-config')).toMatchObject({ ready: true, troubles }),
    );
    await Promise.all([leaving.stop(), serving.stop()]);
    await serviceNats.flush();
    now += 6_001;
    expect(collector.reports()).toEqual(new Map([['agents-config', undefined]]));
    collector.stop();
  });
});

describe('without NATS', () => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-rpc-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  /** A broker of this test's own, to take away and bring back. */
  const startBroker = (port?: number) =>
    startNats({
      dataDir: join(directory, 'nats'),
      logFile: join(directory, 'nats.log'),
      cacheDir: dirname(engines.nats?.binary ?? ''),
      token: 'test',
      ...(port === undefined ? {} : { port }),
    });

  it('requests fail at once as unavailable, nothing piles up, and service resumes by itself', async () => {
    const broker = await startBroker();
    const [asking, answering] = await Promise.all([
      connectNats({ url: broker.url, name: 'gateway' }),
      connectNats({ url: broker.url, name: 'agents-config' }),
    ]);
    const server = await startService(answering, script);
    const client = new RpcClient(asking, { signer, timeoutMs: 30_000 });
    const request = () => client.call(forCall, { body: { agentId } }, context());
    await request();

    const door = gate();
    script.behave = async () => {
      await door.opened;
      return agent;
    };
    const inFlight = client.call(forCall, { body: { agentId } }, context({ deadline: Date.now() + 30_000 }));
    await eventually(() => expect(script.seen).toHaveLength(2));
    await Promise.all([
      expect(inFlight).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }),
      broker.stop(),
    ]);
    door.open();
    await eventually(() => expect(request()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }));
    const startedAt = performance.now();
    const refused = await Promise.allSettled(Array.from({ length: 100 }, request));
    expect(performance.now() - startedAt).toBeLessThan(20_000); // the time limit is 30 s
    expect(refused.every(({ status }) => status === 'rejected')).toBe(true);

    script.behave = async () => agent;
    const seenBefore = script.seen.length;
    const revived = await startBroker(broker.port);
    await eventually(async () => expect(await request()).toEqual({ data: agent }), { timeoutMs: 60_000 });
    expect(script.seen.length - seenBefore).toBeLessThan(100);
    await server.stop();
    await Promise.all([asking.close(), answering.close()]);
    await revived.stop();
  });

  it('a service can still stop', async () => {
    const broker = await startBroker();
    const connection = await connectNats({ url: broker.url, name: 'agents-config' });
    const server = await startService(connection, script);
    await broker.stop();
    await server.stop();
    await connection.close();
  });
});
