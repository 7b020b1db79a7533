// Conversations in text, from the announcement that one began to its hand-over. They have no room at the media server.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract, events, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { eventually, serveOperation } from '@parlance/fixtures';
import { finishedCall, userOf, World } from '../testing/world.js';

let world: World;
/** The calls that widgets was asked to end; undefined: widgets does not answer. */
let ended: string[] | undefined = [];

beforeAll(async () => {
  world = await World.start();
  const { widgetsEndConversation } = serviceRequests;
  await serveOperation(world.nats, widgetsEndConversation, ({ input }) => {
    if (ended === undefined) return { error: new AppError('SERVICE_UNAVAILABLE').toWire() };
    ended.push(widgetsEndConversation.body.parse(input.body).callId);
    return { data: { ended: true } };
  });
});
afterAll(() => world?.stop());

let org: string;
let started: ReturnType<typeof startedNow>;

const startedNow = () => ({
  callId: randomUUID(),
  roomName: `tx_${randomUUID()}`,
  agentId: randomUUID(),
  agentName: 'Front desk',
  configVersion: 3,
  widgetId: randomUUID(),
  dynamicVariables: { name: 'Ada' },
  metadata: { pageUrl: 'https://shop.example.com/cart' },
  consent: { textVersion: '7', at: new Date().toISOString() },
  startedAt: new Date().toISOString(),
});

beforeEach(async () => {
  ended = [];
  org = randomUUID();
  started = startedNow();
  await world.announce(events.conversationStarted, org, started);
  await eventually(async () => expect(await world.live(org)).toMatchObject([{ status: 'in_progress' }]));
});

const turn = (seq: number, text: string) => ({
  ...{ seq, text, startMs: seq * 1_000, createdAt: started.startedAt },
  role: seq % 2 === 0 ? ('agent' as const) : ('user' as const),
});

const show = (turns: readonly ReturnType<typeof turn>[], { callId, agentId } = started) =>
  world.request(
    serviceRequests.callsTextTurns,
    { body: { callId, agentId, turns: [...turns] } },
    { ...userOf(org), actor: { type: 'platform', id: 'widgets' }, role: 'platform' },
  );

const end = (roomName = started.roomName) =>
  world.request(contract.callsEndLive, { body: { roomName } }, userOf(org));

const handOver = (change: object = {}) =>
  world.request(
    contract.callsIngest,
    {
      body: contract.callsIngest.body.parse({
        ...finishedCall(org),
        ...{
          callId: started.callId,
          agentId: started.agentId,
          roomName: started.roomName,
          channel: 'widget',
        },
        ...{ widgetId: started.widgetId, direction: 'inbound', startedAt: started.startedAt },
        ...{ answeredAt: started.startedAt, endedAt: new Date().toISOString(), durationSeconds: 1 },
        ...change,
      }),
    },
    { ...userOf(org), actor: { type: 'platform', id: 'widgets' }, role: 'platform' },
  );

describe('a conversation in text', () => {
  it('is a live call of its widget with its last words, and its transcript grows', async () => {
    await show([turn(0, 'Hello Ada.')]);
    await show([turn(1, 'Hi.'), turn(0, 'told again')]);
    expect(await world.live(org)).toMatchObject([
      {
        ...{ callId: started.callId, roomName: started.roomName, agentName: 'Front desk' },
        ...{ channel: 'widget', direction: 'inbound', lastMessage: 'Hi.' },
      },
    ]);
    const data = await world.ask(
      contract.callsTranscripts,
      { params: { callId: started.callId }, query: {} },
      userOf(org),
    );
    expect(data.map(({ seq, text }) => [seq, text])).toEqual([
      [0, 'Hello Ada.'],
      [1, 'Hi.'],
    ]);
    expect(await world.get(org, started.callId)).toMatchObject({
      ...{ widgetId: started.widgetId, dynamicVariables: { name: 'Ada' }, status: 'in_progress' },
      ...{ consent: { type: 'widget', granted: true, textVersion: '7' }, metadata: started.metadata },
    });
  });

  it('that tries an agent is a live call of the channel preview', async () => {
    const { widgetId: _widget, consent: _consent, ...preview } = startedNow();
    await world.announce(events.previewStarted, org, preview);
    await eventually(async () =>
      expect(await world.live(org)).toContainEqual(
        expect.objectContaining({ callId: preview.callId, channel: 'preview', status: 'in_progress' }),
      ),
    );
  });

  it('is ended by an operator through the service that holds it, and by nobody of another organization', async () => {
    await expect(
      world.request(contract.callsEndLive, { body: { roomName: started.roomName } }, userOf(randomUUID())),
    ).rejects.toMatchObject({ code: 'LIVE_CALL_NOT_FOUND' });
    expect(ended).toEqual([]);
    expect((await end()).data).toMatchObject({ ended: true, alreadyEnded: false, callId: started.callId });
    expect(ended).toEqual([started.callId]);
    await eventually(async () => expect(await world.live(org)).toEqual([]));
    await handOver({ endedReason: 'operator_ended' });
    await eventually(async () =>
      expect(await world.get(org, started.callId)).toMatchObject({
        ...{ status: 'completed', endedReason: 'operator_ended', messageCount: 3 },
      }),
    );
  });

  it('ends without a request of the service that holds it once the gateway has ended it there', async () => {
    ended = undefined;
    const { callId, roomName } = started;
    const body = { roomName };
    const part = { callId, dialOf: null, dialCancelledAt: null };
    const endAs = (inText: boolean) =>
      world.ask(contract.callsEndLive, { body, composed: { ended: { ...part, inText } } }, userOf(org));
    await expect(endAs(false)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await world.live(org)).toHaveLength(1);
    expect(await endAs(true)).toMatchObject({ ended: true, alreadyEnded: false, callId });
    await eventually(async () => expect(await world.live(org)).toEqual([]));
  });

  it('goes on while the service that holds it does not answer the operator', async () => {
    ended = undefined;
    await expect(end()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await world.live(org)).toHaveLength(1);
  });

  it('ends with its hand-over, whichever of the two reports comes first', async () => {
    await handOver();
    await eventually(async () => expect(await world.live(org)).toEqual([]));
    await world.announce(events.conversationStarted, org, started);
    const other = startedNow();
    await handOver({ callId: other.callId, eventId: randomUUID(), roomName: other.roomName });
    await world.announce(events.conversationStarted, org, { ...other, agentId: started.agentId });
    // Read after the announcements, because it was announced last.
    const last = startedNow();
    await world.announce(events.conversationStarted, org, last);
    await eventually(async () => expect(await world.live(org)).toMatchObject([{ callId: last.callId }]));
    for (const { callId } of [started, other])
      expect(await world.get(org, callId)).toMatchObject({ status: 'completed', messageCount: 3 });
  });
});
