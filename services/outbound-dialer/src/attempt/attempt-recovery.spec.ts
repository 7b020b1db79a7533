// Attempts without an outcome: looked for, adopted, hung up, given up, and never dialled again.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { outboundCallId as id } from '../testing/histories.js';
import { calleeWith, factsOf, first, LifecycleWorld } from '../testing/lifecycle-world.js';

let world: LifecycleWorld;
beforeEach(async () => {
  world = await LifecycleWorld.create();
});

describe('recovery', () => {
  /** A process that died somewhere between the recorded start and the recorded outcome. */
  const crash = async () => {
    world.rooms.dialing = () => Promise.reject(new Error('the process is gone'));
    await expect(world.lifecycle.attempt(id)).rejects.toThrow('the process is gone');
    world.rooms.dials.length = 0;
  };

  it('adopts a phone that rings, and then its answer', async () => {
    await crash();
    world.rooms.callee = calleeWith('ringing');
    await world.recovery.recover(id);
    expect(await world.state()).toMatchObject({
      phase: 'dialing',
      evidence: 'adopted',
      current: { status: 'ringing' },
    });
    world.rooms.callee = calleeWith('active');
    await world.recovery.recover(id);
    expect(await world.state()).toMatchObject({ phase: 'connected', current: { providerCallId: 'SCL_1' } });
    expect(world.types().slice(1)).toEqual(['AttemptStarted', 'AttemptAdopted', 'AttemptAnswered']);
  });

  it('adopts a phone that was answered already, even after the deadline', async () => {
    await crash();
    world.pass(1_000);
    world.rooms.callee = calleeWith('active');
    await world.recovery.recover(id);
    expect(world.types().slice(1)).toEqual(['AttemptStarted', 'AttemptAdopted', 'AttemptAnswered']);
  });

  it('believes calls-logs when the callee is not in the room any more', async () => {
    await crash();
    world.facts = [factsOf({})];
    await world.recovery.recover(id);
    expect(await world.state()).toMatchObject({
      phase: 'ended',
      status: 'completed',
      endedReason: 'user_hangup',
    });
  });

  it('believes calls-logs that the phone was answered', async () => {
    await crash();
    world.facts = [factsOf({ status: 'in_progress', endedAt: null })];
    await world.recovery.recover(id);
    expect(await world.state()).toMatchObject({ phase: 'connected' });
  });

  it('waits without evidence until the deadline, and then says that nobody knows', async () => {
    await crash();
    world.facts = [factsOf({ status: 'ringing', answeredAt: null, endedAt: null })];
    await world.recovery.recover(id);
    expect(world.types().slice(1)).toEqual(['AttemptStarted', 'AttemptInDoubt']);
    world.pass(99);
    await world.recovery.recover(id);
    expect(world.types()).toHaveLength(3);
    world.pass(1);
    await world.recovery.recover(id);
    expect(world.types().slice(1)).toEqual(['AttemptStarted', 'AttemptInDoubt', 'AttemptOutcomeUnknown']);
    expect(world.rooms.deleted).toEqual([`ob_${first.attemptId}`]);
    expect(await world.state()).toMatchObject({
      phase: 'ended',
      status: 'failed',
      endedReason: 'outcome_unknown',
    });
    await world.lifecycle.attempt(id);
    expect(world.rooms.dials).toEqual([]);
  });

  it('ends a phone that still rings after the deadline', async () => {
    await crash();
    world.rooms.callee = calleeWith('ringing');
    world.pass(100);
    await world.recovery.recover(id);
    expect(world.rooms.deleted).toEqual([`ob_${first.attemptId}`]);
    expect(await world.state()).toMatchObject({ endedReason: 'outcome_unknown' });
  });

  it('keeps its deadline when neither the media server nor calls-logs can be asked', async () => {
    await crash();
    world.rooms.isAway = true;
    world.facts = 'away';
    await world.recovery.recover(id);
    world.pass(100);
    await world.recovery.recover(id);
    expect(await world.state()).toMatchObject({ phase: 'ended', endedReason: 'outcome_unknown' });
  });

  it('hangs up what was cancelled until a late dial cannot find its room any more', async () => {
    await crash();
    await world.cancel();
    await world.recovery.recover(id);
    expect(world.rooms.deleted).toHaveLength(1);
    world.pass(100);
    await world.recovery.recover(id);
    expect(world.rooms.deleted).toHaveLength(2);
    expect(world.types().slice(1)).toEqual(['AttemptStarted', 'OutboundCallCancelled', 'AttemptHungUp']);
    await world.recovery.recover(id);
    expect(world.rooms.deleted).toHaveLength(2);
  });

  it('hangs up a conversation that was cancelled once', async () => {
    await world.lifecycle.attempt(id);
    await world.cancel();
    await world.recovery.recover(id);
    await world.recovery.recover(id);
    expect(world.rooms.deleted).toHaveLength(1);
    expect(await world.state()).toMatchObject({ status: 'cancelled', hangUp: null });
  });

  it('hangs up later when the media server is away', async () => {
    await world.lifecycle.attempt(id);
    await world.cancel();
    world.rooms.isAway = true;
    await expect(world.recovery.recover(id)).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
    expect(await world.state()).toMatchObject({ hangUp: { attemptId: first.attemptId } });
  });

  it('never dials, whatever it finds', async () => {
    await crash();
    for (const status of ['dialing', 'ringing', 'automation', 'active', 'hangup', null]) {
      world.rooms.callee = status === null ? null : calleeWith(status);
      await world.recovery.recover(id);
      world.pass(30);
    }
    expect(world.rooms.dials).toEqual([]);
  });

  it('has nothing to do where nothing is open', async () => {
    await world.recovery.recover(id);
    await world.cancel();
    await world.recovery.recover(id);
    expect(world.rooms).toMatchObject({ dials: [], deleted: [] });
  });
});
