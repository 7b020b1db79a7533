// Live events through real gateways: from an event on the broker to a reader over HTTP.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@parlance/client';
import { eventSubject, events, makeEvent } from '@parlance/contracts';
import { eventually, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { type Fixture, startFixture } from '../testing/fixture.js';
import { TestGateway } from '../testing/test-gateway.js';

/** Gateways of one installation have one secret: for sessions, and for the ids of events. */
const variables = { AUTH_SECRET: randomBytes(32).toString('base64url') };

let fixture: Fixture;
let natsUrl: string;
let db: Database;
const closing: AbortController[] = [];

beforeAll(async () => {
  const engines = await testEngines({ postgres: true, nats: true });
  natsUrl = engines.natsUrl;
  fixture = await startFixture(engines, variables);
  db = createDatabase({ url: fixture.postgresUrl, applicationName: 'test', max: 1 });
});
afterEach(() => {
  for (const one of closing.splice(0)) one.abort();
});
afterAll(async () => {
  await db?.end();
  await fixture?.stop();
});

interface Told {
  readonly event: string;
  readonly id: string;
  readonly data: {
    readonly resource?: { readonly id: string };
    readonly change?: string;
    readonly resumed?: boolean;
  };
}

/** Reads a stream until the test is over. */
class Reader {
  readonly told: Told[] = [];
  isOver = false;

  static async open(gateway: TestGateway, headers: Readonly<Record<string, string>>): Promise<Reader> {
    const abort = new AbortController();
    closing.push(abort);
    const url = `${gateway.gateway.url}/api/v1/events/stream`;
    const response = await fetch(url, { headers, signal: abort.signal });
    if (!response.ok || response.body === null) throw new Error(`the stream answers ${response.status}`);
    const reader = new Reader();
    void reader.#read(response.body).catch(() => undefined);
    await eventually(() => expect(reader.told[0]?.event).toBe('open'));
    return reader;
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = '';
    try {
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) this.#take(block);
      }
    } finally {
      this.isOver = true;
    }
  }

  #take(block: string): void {
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)));
    if (fields.data !== undefined)
      this.told.push({ event: fields.event, id: fields.id, data: JSON.parse(fields.data) });
  }

  /** Ids of the things that were told of. */
  resources(): string[] {
    return this.told.flatMap(({ data }) => data.resource?.id ?? []);
  }
}

const grows = async (organizationId: string): Promise<string> => {
  const callId = randomUUID();
  const occurredAt = new Date().toISOString();
  const data = { callId, agentId: randomUUID(), turns: 1 };
  const event = makeEvent(events.transcriptGrew, { id: randomUUID(), organizationId, occurredAt, data });
  const subject = eventSubject(events.transcriptGrew);
  await fixture.nats.jetstream().publish(subject, JSON.stringify(event), { msgID: event.id });
  return callId;
};

const open = (headers: Readonly<Record<string, string>> = fixture.person.session): Promise<Reader> =>
  Reader.open(fixture.gateway, headers);

describe('a stream of live events', () => {
  it('tells of the own organization, to a session and to a key, and never of another one', async () => {
    const stranger = await fixture.gateway.signUp();
    const { key } = await fixture.gateway.createKey(fixture.person, ['callLogs:read']);
    const narrow = await fixture.gateway.createKey(fixture.person, ['tools:read']);
    const readers = await Promise.all([open(), open({ 'x-api-key': key })]);
    const others = await Promise.all([open(stranger.session), open({ 'x-api-key': narrow.key })]);
    const callId = await grows(fixture.person.organizationId);
    const ofStranger = await grows(stranger.organizationId);
    for (const reader of readers) await eventually(() => expect(reader.resources()).toEqual([callId]));
    await eventually(() => expect(others[0]?.resources()).toEqual([ofStranger]));
    expect(others[1]?.resources()).toEqual([]);
  });

  it('tells of invitations and members, to those who may read settings, and never the id of an invitation', async () => {
    const { gateway, person } = fixture;
    const { key } = await gateway.createKey(person, ['settings:read']);
    const narrow = await gateway.createKey(person, ['callLogs:read']);
    const [all, ofNarrow] = [await open({ 'x-api-key': key }), await open({ 'x-api-key': narrow.key })];
    const post = async (path: string, headers: Readonly<Record<string, string>>, body: object) => {
      const answer = await gateway.send(path, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
      return answer.body;
    };
    const heard = (): unknown[] =>
      all.told.slice(1).map(({ event, data }) => [event, data.change, data.resource?.id]);
    const colleague = await gateway.signUp();
    const invite = (email: string) =>
      post('/auth/organization/invite-member', person.session, { email, role: 'member' });
    const { id: taken } = await invite('taken-back@example.com');
    await post('/auth/organization/cancel-invitation', person.session, { invitationId: taken });
    const { id: invitationId } = await invite(colleague.email);
    const { member } = await post('/auth/organization/accept-invitation', colleague.session, {
      invitationId,
    });
    const change = { memberId: member.id, role: 'viewer' };
    await post('/auth/organization/update-member-role', person.session, change);
    await post('/auth/organization/remove-member', person.session, { memberIdOrEmail: member.id });
    await eventually(() =>
      expect(heard()).toEqual([
        ['invitation.changed', 'invited', null],
        ['invitation.changed', 'invitation_cancelled', null],
        ['invitation.changed', 'invited', null],
        ['member.changed', 'joined', member.id],
        ['invitation.changed', 'joined', null],
        ['member.changed', 'role_changed', member.id],
        ['member.changed', 'removed', member.id],
      ]),
    );
    expect(JSON.stringify(all.told)).not.toContain(invitationId);
    const callId = await grows(person.organizationId);
    await eventually(() => expect(ofNarrow.resources()).toEqual([callId]));
  });

  it('is refused to strangers, and to a key that may read none of it', async () => {
    const { key } = await fixture.gateway.createKey(fixture.person, ['tools:create']);
    expect((await fixture.gateway.send('/events/stream')).status).toBe(401);
    const refused = await fixture.gateway.send('/events/stream', { headers: { 'x-api-key': key } });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'PERMISSION_DENIED']);
    const head = await fixture.gateway.send('/events/stream', {
      ...{ method: 'HEAD', headers: fixture.person.session },
    });
    expect(head.status).toBe(200);
  });

  it('is taken up again at another gateway without a gap, by the client of the platform too', async () => {
    const { postgresUrl, person } = fixture;
    const second = await TestGateway.start({ postgresUrl, natsUrl, variables });
    try {
      const { key } = await fixture.gateway.createKey(person);
      const first = await open({ 'x-api-key': key });
      const seen = await grows(person.organizationId);
      await eventually(() => expect(first.resources()).toEqual([seen]));
      const missed = await grows(person.organizationId);
      const id = first.told.find(({ data }) => data.resource?.id === seen)?.id ?? '';
      const headers = { 'x-api-key': key, 'last-event-id': id };
      const again = await eventually(async () => {
        const reader = await Reader.open(second, headers);
        expect(reader.told[0]?.data.resumed).toBe(true);
        return reader;
      });
      await eventually(() => expect(again.resources()).toEqual([missed]));
      const client = createClient({ baseUrl: `${second.gateway.url}/api/v1`, apiKey: key });
      const told: string[] = [];
      for await (const { event } of await client.events.stream({ query: { after: id } })) {
        told.push(event);
        if (told.length === 2) break;
      }
      expect(told).toEqual(['open', 'call.transcript']);
    } finally {
      await second.stop();
    }
  });

  it('ends at once when its key is revoked, its person signs out, or the role of the person changes', async () => {
    const { gateway, person } = fixture;
    const { key, id } = await gateway.createKey(person);
    const ofKey = await open({ 'x-api-key': key });
    const leaving = await gateway.signIn(person);
    const ofSession = await open(leaving.session);
    const staying = await open();
    const post = (path: string, headers: Readonly<Record<string, string>>, body: object) =>
      gateway.send(path, { method: 'POST', headers, body });
    expect((await post('/auth/api-key/delete', person.session, { keyId: id })).status).toBe(200);
    await eventually(() => expect(ofKey.isOver).toBe(true));
    expect((await post('/auth/sign-out', leaving.session, {})).status).toBe(200);
    await eventually(() => expect(ofSession.isOver).toBe(true));
    expect(staying.isOver).toBe(false);

    const viewer = await gateway.signUp();
    const memberId = randomUUID();
    await db.query(
      `insert into member (id, "organizationId", "userId", role, "createdAt") values ($1, $2, $3, 'member', now())`,
      [memberId, person.organizationId, viewer.userId],
    );
    const active = await post('/auth/organization/set-active', viewer.session, {
      organizationId: person.organizationId,
    });
    expect(active.status).toBe(200);
    const ofMember = await open(viewer.session);
    const changed = await post('/auth/organization/update-member-role', person.session, {
      ...{ memberId, role: 'viewer', organizationId: person.organizationId },
    });
    expect(changed.status).toBe(200);
    await eventually(() => expect(ofMember.isOver).toBe(true));
    expect(staying.isOver).toBe(false);
  });

  it('ends when its gateway stops, and a limit of streams is said', async () => {
    const { postgresUrl, person } = fixture;
    const leaving = await TestGateway.start({ postgresUrl, natsUrl, variables });
    const readers = await Promise.all(Array.from({ length: 10 }, () => Reader.open(leaving, person.session)));
    const refused = await leaving.send('/events/stream', { headers: person.session });
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
      ...[429, 'RATE_LIMITED', '10'],
    ]);
    const stopping = leaving.stop();
    // Long before connections that are still open would be cut.
    await eventually(() => expect(readers.every(({ isOver }) => isOver)).toBe(true));
    await stopping;
  });

  it('goes on when the consumer of the gateways is lost', async () => {
    const reader = await open();
    const manager = await fixture.nats.jetstreamManager();
    await manager.consumers.delete('PARLANCE_EVENTS', 'gateway-live');
    const callId = await grows(fixture.person.organizationId);
    await eventually(() => expect(reader.resources()).toEqual([callId]), { timeoutMs: 60_000 });
  });
});
