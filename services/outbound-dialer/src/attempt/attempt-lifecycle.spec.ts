// Dialling: the steps before the request, and the cases without a request.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { at, commands, outboundCallId as id, organizationId } from '../testing/histories.js';
import { first, LifecycleWorld, second } from '../testing/lifecycle-world.js';

let world: LifecycleWorld;
beforeEach(async () => {
  world = await LifecycleWorld.create();
});

describe('dialling', () => {
  it('records the start, makes the room with the agent in it, dials once, and records the answer', async () => {
    world.rooms.dialing = async () => {
      expect(world.types()).toEqual(['OutboundCallPlaced', 'AttemptStarted']);
      expect(world.rooms.made).toHaveLength(1);
      return { kind: 'answered', sipCallId: 'SCL_1' };
    };
    await world.lifecycle.attempt(id);
    expect(world.types()).toEqual(['OutboundCallPlaced', 'AttemptStarted', 'AttemptAnswered']);
    expect(world.rooms.dials).toEqual([
      {
        room: `ob_${first.attemptId}`,
        identity: `pstn_${first.attemptId}`,
        to: '+14155550100',
        from: '+14155550142',
        trunkId: 'trunk',
        ringingTimeoutSeconds: 30,
        longestSeconds: 3_600,
        attemptId: first.attemptId,
      },
    ]);
    expect(world.rooms.made[0]).toMatchObject({
      name: `ob_${first.attemptId}`,
      metadata: { callId: first.callId, organizationId, outboundCallId: id, toNumber: '+14155550100' },
      agent: { metadata: { callId: first.callId, channel: 'phone', direction: 'outbound' } },
    });
    expect(await world.state()).toMatchObject({ phase: 'connected', current: { providerCallId: 'SCL_1' } });
  });

  it('looks at the last event of the call between the room and the dial, and reads the call only when it is not known', async () => {
    const known = await world.calls.load(id);
    const before = world.store.reads;
    world.rooms.making = async () => expect(world.store.looks).toBe(0);
    world.rooms.dialing = async () => {
      expect(world.store.looks).toBe(1);
      return { kind: 'answered', sipCallId: 'SCL_1' };
    };
    await world.lifecycle.attempt(id, { known });
    expect(world.rooms.dials).toHaveLength(1);
    expect(world.store.reads).toBe(before);
    expect(await world.state()).toMatchObject({ phase: 'connected' });
  });

  it('places a call and starts its attempt in one append, in one of many processes, and reads nothing', async () => {
    const other = '018f0000-0000-7000-8000-000000000777';
    const before = world.store.reads;
    await world.lifecycle.attempt(other, { place: commands.PlaceCall });
    expect(world.store.reads).toBe(before);
    expect(world.store.typesOf(`outboundCall-${other}`)).toEqual([
      'OutboundCallPlaced',
      'AttemptStarted',
      'AttemptAnswered',
    ]);
    await world.lifecycle.attempt(other, { place: commands.PlaceCall });
    expect(world.rooms.dials).toHaveLength(1);
  });

  it('starts a call that a process of the release before has placed and left behind', async () => {
    await world.lifecycle.attempt(id, { place: commands.PlaceCall });
    expect(world.types()).toEqual(['OutboundCallPlaced', 'AttemptStarted', 'AttemptAnswered']);
    expect(world.rooms.dials).toHaveLength(1);
  });

  it('does not happen on what is known of a call that was cancelled or started since', async () => {
    const known = await world.calls.load(id);
    await Promise.all([world.lifecycle.attempt(id, { known }), world.lifecycle.attempt(id, { known })]);
    await world.lifecycle.attempt(id, { known });
    expect(world.rooms.dials).toHaveLength(1);
    await world.cancel();
    await world.lifecycle.attempt(id, { known });
    expect(world.rooms.dials).toHaveLength(1);
  });

  it('is hung up when the call was cancelled while it rang, though it was there when last looked at', async () => {
    world.rooms.dialing = async () => {
      await world.cancel();
      return { kind: 'answered', sipCallId: 'SCL_1' };
    };
    await world.lifecycle.attempt(id);
    expect(world.types().slice(1)).toEqual(['AttemptStarted', 'OutboundCallCancelled']);
    expect(world.rooms.deleted).toContain(`ob_${first.attemptId}`);
  });

  it('waits as long as the request may take, the phone may ring, and half a minute more', async () => {
    await world.lifecycle.attempt(id);
    expect(await world.state()).toMatchObject({
      current: { startedAt: at(0), deadlineAt: at(30 + 10 + 30 + 30) },
    });
  });

  it('happens once when two workers want it', async () => {
    await Promise.all([
      world.lifecycle.attempt(id),
      world.lifecycle.attempt(id),
      world.lifecycle.attempt(id),
    ]);
    expect(world.rooms.dials).toHaveLength(1);
  });

  it('does not happen for a call that was cancelled, ended, or is somebody else’s attempt already', async () => {
    await world.cancel();
    await world.lifecycle.attempt(id);
    expect(world.rooms.dials).toEqual([]);
    await world.lifecycle.attempt('018f0000-0000-7000-8000-000000000999');
    expect(world.rooms.dials).toEqual([]);
  });

  it('does not happen when the start cannot be recorded', async () => {
    world.store.outage = 1;
    await expect(world.lifecycle.attempt(id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(world.rooms).toMatchObject({ dials: [], made: [] });
  });

  it('does not happen when the call was cancelled after the start', async () => {
    world.rooms.making = () => world.cancel();
    await world.lifecycle.attempt(id);
    expect(world.rooms).toMatchObject({ dials: [], deleted: [`ob_${first.attemptId}`] });
    expect(world.types().slice(1)).toEqual(['AttemptStarted', 'OutboundCallCancelled', 'AttemptHungUp']);
  });

  it('that an operator ends while the phone rings is not undone by the error that its missing room makes', async () => {
    world.rooms.dialing = async () => {
      await world.endByOperator();
      return { kind: 'refused', status: 'no_answer', endedReason: 'no_answer' };
    };
    await world.lifecycle.attempt(id);
    expect(await world.state()).toMatchObject({
      ...{ phase: 'ended', status: 'cancelled', endedReason: 'operator_ended' },
    });
    expect(world.types().slice(1)).toEqual(['AttemptStarted', 'OutboundCallCancelled', 'AttemptHungUp']);
  });

  it('does not happen when it cannot be seen whether the call was cancelled', async () => {
    world.rooms.making = async () => {
      world.store.outage = 3;
    };
    await world.lifecycle.attempt(id);
    expect(world.rooms.dials).toEqual([]);
    expect(world.types().slice(1)).toEqual(['AttemptStarted', 'AttemptAbandoned']);
  });

  it('does not happen by a worker that was held up for five seconds; another attempt follows', async () => {
    world.rooms.making = async () => world.pass(5);
    await world.lifecycle.attempt(id);
    expect(world.rooms).toMatchObject({ dials: [], deleted: [`ob_${first.attemptId}`] });
    expect(world.types().slice(1)).toEqual(['AttemptStarted', 'AttemptAbandoned']);
    world.rooms.making = async () => undefined;
    await world.lifecycle.attempt(id);
    expect(world.rooms.dials.map(({ attemptId }) => attemptId)).toEqual([second.attemptId]);
  });

  it('does not happen to somebody who may not be called now; another attempt follows when that is over', async () => {
    world.verdict = { kind: 'later', reason: 'outside_calling_window', at: new Date(at(3_600)) };
    await world.lifecycle.attempt(id);
    expect(world.rooms).toMatchObject({ dials: [], deleted: [`ob_${first.attemptId}`] });
    expect(await world.state()).toMatchObject({ phase: 'queued', notBefore: at(3_600) });
    world.verdict = { kind: 'yes', trunkId: 'trunk', until: new Date(at(7_200)), longestSeconds: 3_600 };
    await world.lifecycle.attempt(id);
    expect(world.rooms.dials).toEqual([]);
    world.pass(3_600);
    await world.lifecycle.attempt(id);
    expect(world.rooms.dials.map(({ attemptId }) => attemptId)).toEqual([second.attemptId]);
  });

  it('does not leave through another trunk when that of its provider is missing, and is made once it is there', async () => {
    const granted = { kind: 'yes', longestSeconds: 3_600, until: new Date(at(7_200)) } as const;
    world.verdict = { ...granted, trunkId: null };
    await world.lifecycle.attempt(id);
    expect(world.rooms).toMatchObject({ dials: [], deleted: [`ob_${first.attemptId}`] });
    const refused = { status: 'failed', endedReason: 'provider_unavailable', providerCode: 'no_trunk' };
    expect(await world.state()).toMatchObject({ phase: 'queued', past: [refused] });
    world.verdict = { ...granted, trunkId: 'trunk of the provider' };
    world.pass(10);
    await world.lifecycle.attempt(id);
    expect(world.rooms.dials).toMatchObject([
      { attemptId: second.attemptId, trunkId: 'trunk of the provider' },
    ]);
  });

  it('is looked at again when the permission to use the number ran out during the look', async () => {
    const granted = { kind: 'yes', trunkId: 'trunk', longestSeconds: 3_600 } as const;
    world.verdicts.push({ ...granted, until: new Date(world.now) });
    world.verdict = { ...granted, until: new Date(world.now + 1) };
    await world.lifecycle.attempt(id);
    expect(world.rooms.dials.map(({ attemptId }) => attemptId)).toEqual([first.attemptId]);
  });

  it('does not happen when the second look says no', async () => {
    world.verdicts.push({ kind: 'yes', trunkId: 'trunk', longestSeconds: 3_600, until: new Date(world.now) });
    world.verdict = { kind: 'never', reason: 'campaign_cancelled' };
    await world.lifecycle.attempt(id);
    expect(world.rooms.dials).toEqual([]);
    expect(await world.state()).toMatchObject({ phase: 'ended', endedReason: 'campaign_cancelled' });
  });

  it('does not happen when the permission to use the number is too old; another attempt asks again', async () => {
    world.verdict = { kind: 'yes', trunkId: 'trunk', longestSeconds: 3_600, until: new Date(world.now) };
    await world.lifecycle.attempt(id);
    expect(world.rooms).toMatchObject({ dials: [], deleted: [`ob_${first.attemptId}`] });
    world.verdict = { kind: 'yes', trunkId: 'trunk', longestSeconds: 3_600, until: new Date(world.now + 1) };
    await world.lifecycle.attempt(id);
    expect(world.rooms.dials.map(({ attemptId }) => attemptId)).toEqual([second.attemptId]);
  });

  it('does not happen to somebody who may not be called at all, and says why', async () => {
    world.verdict = { kind: 'never', reason: 'suppressed_dnc' };
    await world.lifecycle.attempt(id);
    await world.lifecycle.attempt(id);
    expect(world.rooms.dials).toEqual([]);
    expect(await world.state()).toMatchObject({
      phase: 'ended',
      status: 'failed',
      endedReason: 'suppressed_dnc',
    });
  });

  it('is tried again later when there is no room to be had, and fails after three times', async () => {
    world.rooms.isAway = true;
    for (const attempts of [1, 2, 3]) {
      await world.lifecycle.attempt(id);
      await world.lifecycle.attempt(id);
      expect(world.types().filter((type) => type === 'AttemptRejected')).toHaveLength(attempts);
      world.pass(5);
    }
    await world.lifecycle.attempt(id);
    expect(world.rooms.dials).toEqual([]);
    expect(await world.state()).toMatchObject({
      phase: 'ended',
      status: 'failed',
      endedReason: 'provider_unavailable',
      past: [{}, {}, {}],
    });
  });
});
