// Real calls: LiveKit's server and SIP service, telephones on the wire, and the voice runtime between them and the platform.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import type { CallFacts } from '@parlance/telephones';
import { DataPacket_Kind, RoomAgentDispatch, RoomConfiguration } from 'livekit-server-sdk';
import { findPrograms, type MediaWorld, startMediaWorld } from './media-world.js';
import { type HandedOver, planted, source } from './platform.js';

const programs = findPrograms();
const bought = '+14155550142';

(programs === undefined ? describe.skip : describe)('a call on a real LiveKit', () => {
  let world: MediaWorld;
  beforeAll(async () => {
    if (programs !== undefined) world = await startMediaWorld(programs);
  });
  afterAll(() => world?.stop());

  /** The call as it was handed over, and as the telephone saw it. */
  const callTo = async (
    number: string,
    meanwhile: (room: string) => Promise<unknown> = async () => undefined,
  ) => {
    const room = await world.dial(number);
    await meanwhile(room);
    const handedOver = await eventually(() => {
      const [call, ...more] = world.handedOver.filter(({ roomName }) => roomName === room);
      expect(more).toEqual([]);
      if (call === undefined) throw new Error('it is not handed over yet');
      return call;
    });
    const wire = await eventually(() => {
      const call = world.telephones.calls().findLast(({ to }) => to === number);
      if (call?.endedAt === undefined) throw new Error('the telephone is still on the line');
      return call;
    });
    return { handedOver, wire };
  };
  const words = ({ transcript }: HandedOver, role: string): string[] =>
    transcript.filter((turn) => turn.role === role).map(({ text }) => text);
  const apart = (told: string, seen: number | undefined): number => Math.abs(Date.parse(told) - (seen ?? 0));
  const expectTrueTimes = (call: HandedOver, wire: CallFacts): void => {
    expect(apart(call.answeredAt, wire.answeredAt)).toBeLessThan(2_000);
    expect(apart(call.endedAt, wire.endedAt)).toBeLessThan(2_000);
  };

  it('is understood on both sides: the digits of the telephone are written down, and it hears them again', async () => {
    const { handedOver, wire } = await callTo('+4915112341207');
    expect(words(handedOver, 'user')).toContain('1 2 0 7');
    expect(words(handedOver, 'agent')).toContain('Good day, this is the practice.');
    expect(wire.heard).toContain('1207');
    expect(handedOver).toMatchObject({ endedReason: 'agent_hangup', answeredBy: 'human' });
    expect(wire.endedBy).toBe('far-end');
    expectTrueTimes(handedOver, wire);
    expect(world.asked).toContain(`/api/v1/agents/internal-config/${world.agentId}`);
  });

  it('runs a tool and finds a passage for the telephone, with the token of the call, and tells both while it lasts', async () => {
    const { handedOver } = await callTo('+4915112341208');
    expect(handedOver.endedReason).toBe('agent_hangup');
    const tool = handedOver.transcript.find(({ role }) => role === 'tool');
    expect(tool?.toolCall).toMatchObject({ name: 'find_order', result: 'sent', status: 'ok' });
    expect(words(handedOver, 'agent')).toContain('Our documents say: Five days.');
    const sourced = handedOver.transcript.flatMap(({ sources = [] }) => sources);
    expect(sourced).toEqual([source]);
    const told = world.told.filter(({ path }) => path.includes(handedOver.callId));
    expect(new Set(told.map(({ authorization }) => authorization))).toEqual(
      new Set([`Bearer ${planted.callToken}`]),
    );
    const live = told.filter(({ path }) => path.endsWith('/events')).map(({ body }) => JSON.stringify(body));
    expect(live.join()).toContain('find_order');
  });

  describe('in whose room somebody listens', () => {
    /** Sends words to each place that a participant can read: a participant's observations contain them. */
    const tellEverywhere = async (room: string): Promise<string[]> => {
      const told = ['told-in-data', 'told-in-attributes', 'told-in-metadata', 'told-in-name'];
      const [data = '', attribute = '', metadata = '', name = ''] = told;
      await world.rooms.sendData(room, Buffer.from(data), DataPacket_Kind.RELIABLE, {});
      const [other] = await world.rooms.listParticipants(room);
      const change = { metadata, name, attributes: { attribute } };
      await world.rooms.updateParticipant(room, other?.identity ?? '', change);
      return told;
    };
    const expectNothingPlanted = (seen: string): void => {
      for (const [what, words] of Object.entries(planted))
        expect({ what, isSeen: seen.includes(words) }).toEqual({ what, isSeen: false });
    };

    it.each(['a preview', 'a call'])(
      '%s tells them neither prompts nor variables, metadata or tokens',
      async (kind) => {
        const room = await (kind === 'a call' ? world.dial('+4915112341209') : world.preview());
        const witness = await world.watch(room);
        try {
          const [found] = await world.rooms.listRooms([room]);
          const { callId } = JSON.parse(found?.metadata ?? '') as { readonly callId: string };
          const told = await tellEverywhere(room);
          await eventually(() => {
            for (const words of [callId, ...told]) expect(witness.seen()).toContain(words);
          });
          if (kind === 'a call')
            await eventually(() =>
              expect(world.told.some(({ path }) => path.includes(`${callId}/tools/`))).toBe(true),
            );
          expectNothingPlanted(witness.seen());
        } finally {
          await witness.leave();
          // A call may have ended by itself.
          await world.rooms.deleteRoom(room).catch(() => undefined);
        }
      },
    );
  });

  it('that the telephone hangs up ends then, with this reason', async () => {
    const { handedOver, wire } = await callTo('+4915112340098');
    expect(handedOver.endedReason).toBe('user_hangup');
    expect(wire.endedBy).toBe('telephone');
    expectTrueTimes(handedOver, wire);
  });

  it('with a voicemail is told as one, and the message is left after the beep', async () => {
    const { handedOver } = await callTo('+4915112340085');
    expect(handedOver).toMatchObject({ endedReason: 'voicemail_reached', answeredBy: 'machine_voicemail' });
    expect(words(handedOver, 'user').at(-1)).toBe('(a beep)');
    expect(words(handedOver, 'agent').at(-1)).toBe('Please call back.');
  });

  it('whose room an operator deletes ends then, with this reason', async () => {
    const { handedOver, wire } = await callTo('+4915112340001', (room) => world.rooms.deleteRoom(room));
    expect(handedOver.endedReason).toBe('operator_ended');
    expectTrueTimes(handedOver, wire);
  });

  it('from a telephone to a bought number is answered by the agent of the number', async () => {
    const { sipTrunkId } = await world.sip.createSipInboundTrunk('bought', [bought]);
    await world.sip.createSipDispatchRule(
      { type: 'individual', roomPrefix: 'in' },
      {
        name: 'bought',
        trunkIds: [sipTrunkId],
        roomConfig: new RoomConfiguration({
          agents: [new RoomAgentDispatch({ agentName: 'voice', metadata: '{}' })],
        }),
      },
    );
    const from = '+4915112345566';
    const wire = await world.telephones.call({
      from,
      to: bought,
      sipAddress: world.liveKit.sipAddress,
      talkMs: 30_000,
    });
    expect(wire).toMatchObject({ status: 200, endedBy: 'far-end' });
    const handedOver = await eventually(() => {
      const call = world.handedOver.find(({ fromNumber }) => fromNumber === from);
      if (call === undefined) throw new Error('it is not handed over yet');
      return call;
    });
    expect(handedOver).toMatchObject({ toNumber: bought, endedReason: 'agent_hangup' });
    expect(words(handedOver, 'user')).toContain('5 5 6 6');
    expect(wire.heard).toContain('5566');
    expectTrueTimes(handedOver, wire);
  });

  it('that loses the server is told as lost, and the next call is taken', async () => {
    const lost = await callTo('+4915112340002', async () => world.liveKit.crash('livekit-server'));
    expect(lost.handedOver.endedReason).toBe('room_lost');
    await eventually(() => world.liveKit.reachable());
    const { handedOver } = await eventually(() => callTo('+4915112340003'), { intervalMs: 500 });
    expect(handedOver.endedReason).toBe('agent_hangup');
  });
});
