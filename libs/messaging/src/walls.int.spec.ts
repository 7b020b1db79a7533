import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, eventSubject, events, serviceRequests, subjectOf } from '@parlance/contracts';
import { type Nats, natsRefusals, natsUrlOf, startNats } from '@parlance/engines';
import { eventually } from '@parlance/fixtures';
import { ensureEventStream } from '@parlance/postgres';
import { AckPolicy, connect, createInbox, Events, type NatsConnection, NatsError } from 'nats';
import { type BrokerUser, eventStreamName, serviceUsers } from './index.js';

let directory: string;
let server: Nats;
let admin: NatsConnection;
const users = new Map<string, User>();

const passwordOf = (url: string): { readonly user: string; readonly pass: string } => {
  const { username: user, password: pass } = new URL(url);
  return { user, pass: decodeURIComponent(pass) };
};

/** A connection of one user that notes the server's refusals. */
class User {
  readonly nats: NatsConnection;
  readonly #refused: string[] = [];

  private constructor(nats: NatsConnection) {
    this.nats = nats;
    void this.#listen();
  }

  static async signIn(name: string): Promise<User> {
    const options = { servers: `127.0.0.1:${server.port}`, inboxPrefix: `_INBOX_${name}`, reconnect: false };
    return new User(await connect({ ...options, ...passwordOf(natsUrlOf(server.url, name)) }));
  }

  async #listen(): Promise<void> {
    for await (const { type, permissionContext } of this.nats.status())
      if (type === Events.Error && permissionContext !== undefined)
        this.#refused.push(`${permissionContext.operation} ${permissionContext.subject}`);
  }

  /** The subjects that the server refuses; it tells them before it answers the ping of `flush`. */
  async refused(
    operation: 'publish' | 'subscription',
    subjects: readonly string[],
  ): Promise<readonly string[]> {
    this.#refused.length = 0;
    for (const subject of subjects) {
      if (operation === 'publish') this.nats.publish(subject);
      else this.nats.subscribe(subject, { callback: () => undefined }).unsubscribe();
    }
    await this.nats.flush();
    // The client tells of refusals a turn later than of the pong.
    await nextTurn();
    return this.#refused.map((line) => line.replace(`${operation} `, ''));
  }
}

const of = (name: string): User => {
  const user = users.get(name);
  if (user === undefined) throw new Error(`no user ${name}`);
  return user;
};

/** A subject that the pattern stands for. */
const sample = (pattern: string): string => pattern.replaceAll('*', 'some').replace(/>$/, 'some.subject');
const covers = (pattern: string, subject: string): boolean => {
  const [wanted, given] = [pattern.split('.'), subject.split('.')];
  const open = wanted.at(-1) === '>';
  if (open ? given.length < wanted.length : given.length !== wanted.length) return false;
  return wanted.every((token, index) => token === '*' || token === '>' || token === given[index]);
};
const foreignTo = (own: readonly string[], others: readonly string[]): readonly string[] =>
  others.map(sample).filter((subject) => !own.some((pattern) => covers(pattern, subject)));

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'parlance-walls-'));
  server = await startNats({
    dataDir: join(directory, 'nats'),
    logFile: join(directory, 'nats.log'),
    cacheDir: process.env.PARLANCE_TEST_CACHE ?? '',
    token: randomBytes(12).toString('hex'),
  });
  admin = await connect({ servers: `127.0.0.1:${server.port}`, ...passwordOf(server.url) });
  await ensureEventStream(admin);
  for (const { name } of serviceUsers) users.set(name, await User.signIn(name));
});
afterAll(async () => {
  await Promise.all([...users.values()].map(({ nats }) => nats.close()));
  await admin?.close();
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const pairs = serviceUsers.flatMap((one) =>
  serviceUsers.filter((other) => other !== one).map((other) => [one.name, other.name, one, other] as const),
);

describe('a user of the broker', () => {
  it.each(serviceUsers.map((user): [string, BrokerUser] => [user.name, user]))(
    '%s may use each subject of its own',
    async (name, { publish, subscribe }) => {
      expect(await of(name).refused('publish', publish.map(sample))).toEqual([]);
      expect(await of(name).refused('subscription', subscribe)).toEqual([]);
    },
  );

  it.each(pairs)('%s may use no subject that is of %s alone', async (name, _other, one, other) => {
    const [published, heard] = [
      foreignTo(one.publish, other.publish),
      foreignTo(one.subscribe, other.subscribe),
    ];
    expect(heard).not.toEqual([]);
    expect(await of(name).refused('publish', published)).toEqual(published);
    expect(await of(name).refused('subscription', heard)).toEqual(heard);
  });

  it.each(serviceUsers.map(({ name }) => name))(
    '%s hears no wide subject and rules no stream',
    async (name) => {
      const wide = [
        '>',
        '*',
        'parlance.>',
        'parlance.rpc.>',
        'parlance.evt.>',
        '_INBOX.>',
        '$JS.>',
        '$SYS.>',
      ];
      expect(await of(name).refused('subscription', wide)).toEqual(wide);
      const rule = ['DELETE', 'PURGE', 'UPDATE', 'MSG.GET', 'MSG.DELETE', 'SNAPSHOT'].map(
        (verb) => `$JS.API.STREAM.${verb}.${eventStreamName}`,
      );
      const more = [
        '$JS.API.STREAM.CREATE.MINE',
        '$JS.API.STREAM.NAMES',
        `$JS.API.CONSUMER.LIST.${eventStreamName}`,
      ];
      expect(await of(name).refused('publish', [...rule, ...more])).toEqual([...rule, ...more]);
      expect((await (await admin.jetstreamManager()).streams.info(eventStreamName)).config.name).toBe(
        eventStreamName,
      );
    },
  );
});

it('tells each refusal in the log of the server, where test worlds look for them', async () => {
  expect(await of('widgets').refused('publish', ['parlance.elsewhere'])).toHaveLength(1);
  await eventually(() =>
    expect(natsRefusals(join(directory, 'nats.log'))).toContainEqual(
      expect.stringContaining('parlance.elsewhere'),
    ),
  );
});

it('works beside a process of an earlier release, which signs in as the administrator', async () => {
  const row = subjectOf(contract.agentsCreate);
  const answering = of('agents-config').nats.subscribe(row, {
    callback: (_, message) => message.respond('from the new service'),
  });
  await of('agents-config').nats.flush();
  expect((await admin.request(row, '', { timeout: 10_000 })).string()).toBe('from the new service');
  answering.unsubscribe();
  await of('agents-config').nats.flush();

  const before = admin.subscribe(row, { callback: (_, message) => message.respond('from the old service') });
  await admin.flush();
  const answer = await of('gateway').nats.request(row, '', { timeout: 10_000 });
  expect(answer.string()).toBe('from the old service');
  before.unsubscribe();

  // Each side of a streamed answer speaks to an inbox that the other side names.
  const inbox = [createInbox()];
  expect(await of('gateway').refused('publish', inbox)).toEqual([]);
  expect(await of('widgets').refused('publish', inbox)).toEqual([]);
});

describe('what one service could do to another', () => {
  it('is neither hearing its requests nor asking what it is not asked for', async () => {
    const sealed = subjectOf(serviceRequests.secretsSealed);
    expect(await of('widgets').refused('subscription', [sealed])).toEqual([sealed]);
    expect(await of('knowledge').refused('publish', [sealed])).toEqual([sealed]);
    expect(await of('gateway').refused('publish', [sealed])).toEqual([sealed]);
    expect(await of('widgets').refused('publish', [sealed])).toEqual([]);
    const create = subjectOf(contract.agentsCreate);
    expect(await of('mcp-hub').refused('publish', [create])).toEqual([create]);
  });

  it('is neither hearing its answers nor answering for it', async () => {
    expect(await of('widgets').refused('subscription', ['_INBOX_gateway.>'])).toEqual(['_INBOX_gateway.>']);
    const answer = ['_INBOX_gateway.agents-config.some.1'];
    expect(await of('widgets').refused('publish', answer)).toEqual(answer);
    expect(await of('agents-config').refused('publish', answer)).toEqual([]);
  });

  it('is neither telling its events, its readiness, nor revocations', async () => {
    const told = [
      eventSubject(events.callEnded),
      'parlance.ready.calls-logs',
      'parlance.gateway.credentials',
    ];
    expect(await of('knowledge').refused('publish', told)).toEqual(told);
  });

  it('is not reading events of others through a consumer of its own', async () => {
    const { nats } = of('knowledge');
    const durable = 'knowledge_agents-config_agent_deleted';
    const create = `$JS.API.CONSUMER.CREATE.${eventStreamName}.${durable}`;
    const make = async (subject: string, filters: object): Promise<unknown> => {
      const config = { durable_name: durable, name: durable, ack_policy: AckPolicy.Explicit, ...filters };
      const request = JSON.stringify({ stream_name: eventStreamName, config });
      return (await nats.request(subject, request, { timeout: 5_000 })).json();
    };
    const [own, foreign] = [
      'parlance.evt.agents-config.agent.deleted.*',
      'parlance.evt.calls-logs.call.ended.*',
    ];
    expect(
      await of('knowledge').refused('publish', [create, `${create}.${foreign}`, `${create}.>`]),
    ).toHaveLength(3);
    const refusal = { error: { code: 400 } };
    expect(await make(`${create}.${own}`, { filter_subject: foreign })).toMatchObject(refusal);
    // 2.9 knows one filter and ignores more; later servers refuse both together.
    const several = await make(`${create}.${own}`, { filter_subject: own, filter_subjects: [foreign] });
    expect(several).not.toMatchObject({ config: { filter_subjects: expect.anything() } });
    const made = { name: durable, config: { filter_subject: own } };
    expect(await make(`${create}.${own}`, { filter_subject: own })).toMatchObject(made);
  });

  it('is not changing the stream that is there', async () => {
    const { nats } = of('widgets');
    const manager = await nats.jetstreamManager({ checkAPI: false });
    await expect(
      manager.streams.add({ name: eventStreamName, subjects: ['parlance.evt.>', 'parlance.rpc.>'] }),
    ).rejects.toBeInstanceOf(NatsError);
    const { config } = await (await admin.jetstreamManager()).streams.info(eventStreamName);
    expect(config.subjects).toEqual(['parlance.evt.>']);
  });
});
