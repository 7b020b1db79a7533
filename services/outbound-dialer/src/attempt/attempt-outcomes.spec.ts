// The outcome of a dial, by its answer or by the facts of calls-logs.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { at, outboundCallId as id } from '../testing/histories.js';
import { calleeWith, factsOf, first, LifecycleWorld, second } from '../testing/lifecycle-world.js';

let world: LifecycleWorld;
beforeEach(async () => {
  world = await LifecycleWorld.create();
});

describe('the outcome of a dial', () => {
  it.each([
    ['busy', 'busy', 486],
    ['no_answer', 'declined', 603],
    ['failed', 'invalid_destination', 404],
  ] as const)('%s (%s) ends the call and closes the room', async (status, endedReason, sipStatus) => {
    world.rooms.dialing = async () => ({ kind: 'refused', status, endedReason, sipStatus });
    await world.lifecycle.attempt(id);
    expect(await world.state()).toMatchObject({ phase: 'ended', status, endedReason, past: [{ sipStatus }] });
    expect(world.rooms.deleted).toEqual([`ob_${first.attemptId}`]);
    await world.lifecycle.attempt(id);
    expect(world.rooms.dials).toHaveLength(1);
  });

  it('429 is a new attempt after the time that the provider asked for', async () => {
    const refusal = { kind: 'refused', status: 'failed', endedReason: 'provider_rejected' } as const;
    world.rooms.dialing = async () => ({ ...refusal, sipStatus: 429, retryAfterSeconds: 7 });
    await world.lifecycle.attempt(id);
    expect(await world.state()).toMatchObject({ phase: 'queued', notBefore: at(7) });
    await world.lifecycle.attempt(id);
    expect(world.rooms.dials).toHaveLength(1);
    world.pass(7);
    world.rooms.dialing = async () => ({ kind: 'answered', sipCallId: 'SCL_2' });
    await world.lifecycle.attempt(id);
    expect(world.rooms.dials.map(({ attemptId }) => attemptId)).toEqual([first.attemptId, second.attemptId]);
    expect(await world.state()).toMatchObject({
      phase: 'connected',
      past: [{ sipStatus: 429, status: 'failed' }],
    });
  });

  describe('without an answer in the ringing time', () => {
    const unanswered = { kind: 'unanswered', status: 'no_answer', endedReason: 'no_answer' } as const;
    beforeEach(() => {
      world.rooms.dialing = async () => unanswered;
    });

    it('ends with no answer, once the room shows that no callee has answered', async () => {
      await world.lifecycle.attempt(id);
      expect(world.types().slice(1)).toEqual(['AttemptStarted', 'AttemptRejected']);
      expect(await world.state()).toMatchObject({
        ...{ phase: 'ended', status: 'no_answer', endedReason: 'no_answer', past: [{ sipStatus: null }] },
      });
      expect(world.rooms.deleted).toEqual([`ob_${first.attemptId}`]);
    });

    it('is an answered call where the callee is in the room, answered', async () => {
      world.rooms.callee = calleeWith('active');
      await world.lifecycle.attempt(id);
      expect(await world.state()).toMatchObject({ phase: 'connected', current: { providerCallId: 'SCL_1' } });
      expect(world.rooms.deleted).toEqual([]);
    });

    it('is an answered call where calls-logs has heard the answer', async () => {
      world.facts = [factsOf({})];
      await world.lifecycle.attempt(id);
      expect(await world.state()).toMatchObject({ phase: 'ended', status: 'completed' });
    });

    it('is no answer also where neither of the two can be asked, and where calls-logs knows of no answer', async () => {
      world.rooms.dialing = async () => {
        world.rooms.isAway = true;
        world.facts = 'away';
        return unanswered;
      };
      await world.lifecycle.attempt(id);
      expect(await world.state()).toMatchObject({ phase: 'ended', status: 'no_answer' });
    });

    it('shows after a cancellation that nothing rings any more', async () => {
      world.rooms.dialing = async () => {
        await world.cancel();
        return unanswered;
      };
      await world.lifecycle.attempt(id);
      expect(await world.state()).toMatchObject({ status: 'cancelled', hangUp: null });
    });
  });

  it('that no SIP service took is a new attempt a little later', async () => {
    const refusal = { kind: 'refused', status: 'failed', endedReason: 'provider_unavailable' } as const;
    world.rooms.dialing = async () => ({ ...refusal, providerCode: 'no_sip_service' });
    await world.lifecycle.attempt(id);
    expect(await world.state()).toMatchObject({
      ...{ phase: 'queued', notBefore: at(5), past: [{ endedReason: 'provider_unavailable' }] },
    });
  });

  it('too many calls per second is a new attempt, also where the carrier says it with a 503', async () => {
    const refusal = { kind: 'refused', status: 'failed', endedReason: 'provider_rejected' } as const;
    world.rooms.dialing = async () => ({
      ...refusal,
      ...{ providerCode: '429', sipStatus: 503, retryAfterSeconds: 4 },
    });
    await world.lifecycle.attempt(id);
    expect(await world.state()).toMatchObject({ phase: 'queued', notBefore: at(4) });
  });

  it('that is not certain leaves the attempt in doubt, and is never dialled again', async () => {
    world.rooms.dialing = async () => ({ kind: 'inDoubt', cause: new Error('reset') });
    await world.lifecycle.attempt(id);
    expect(world.types().slice(1)).toEqual(['AttemptStarted', 'AttemptInDoubt']);
    await world.lifecycle.attempt(id);
    await world.recovery.recover(id);
    expect(world.rooms.dials).toHaveLength(1);
    expect(world.rooms.deleted).toEqual([]);
  });

  it('is recorded when the event store comes back', async () => {
    world.rooms.dialing = async () => {
      world.store.outage = 5;
      return { kind: 'refused', status: 'busy', endedReason: 'busy', sipStatus: 486 };
    };
    await world.lifecycle.attempt(id);
    expect(await world.state()).toMatchObject({ phase: 'ended', status: 'busy' });
  });

  it('is given to recovery when the event store does not come back', async () => {
    world.rooms.dialing = async () => {
      world.store.outage = 1_000;
      return { kind: 'refused', status: 'busy', endedReason: 'busy', sipStatus: 486 };
    };
    await expect(world.lifecycle.attempt(id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    world.store.outage = 0;
    expect(await world.state()).toMatchObject({ phase: 'dialing' });
  });

  it('answered is hung up at once when the call was cancelled while it rang', async () => {
    world.rooms.dialing = async () => {
      await world.cancel();
      return { kind: 'answered', sipCallId: 'SCL_1' };
    };
    await world.lifecycle.attempt(id);
    expect(await world.state()).toMatchObject({ phase: 'ended', status: 'cancelled' });
    expect(world.rooms.deleted).toEqual([`ob_${first.attemptId}`]);
  });

  it('refused after the cancellation shows that nothing rings any more', async () => {
    world.rooms.dialing = async () => {
      await world.cancel();
      return { kind: 'refused', status: 'no_answer', endedReason: 'no_answer', sipStatus: 487 };
    };
    await world.lifecycle.attempt(id);
    expect(await world.state()).toMatchObject({
      status: 'cancelled',
      hangUp: null,
      past: [{ status: 'cancelled' }],
    });
  });
});

describe('the end of a call, as calls-logs tells it', () => {
  it('settles the outbound call once, however often it is told', async () => {
    await world.lifecycle.attempt(id);
    await world.settlement.settle(id, factsOf({}), 'event-1');
    await world.settlement.settle(id, factsOf({}), 'event-2');
    expect(world.types().slice(1)).toEqual(['AttemptStarted', 'AttemptAnswered', 'AttemptEnded']);
  });

  it('is not looked up in the stream by the process that has recorded it, and is by every other one', async () => {
    world.rooms.dialing = async () => ({ kind: 'refused', status: 'busy', endedReason: 'busy' });
    await world.lifecycle.attempt(id);
    const before = world.store.reads;
    await world.settlement.settle(id, factsOf({ status: 'busy' }));
    expect(world.store.reads).toBe(before);
    await world.other().settlement.settle(id, factsOf({ status: 'busy' }));
    expect(world.store.reads).toBe(before + 1);
    expect(world.types().slice(1)).toEqual(['AttemptStarted', 'AttemptRejected']);
  });

  it('is settled after an event about another attempt of the same call', async () => {
    await world.lifecycle.attempt(id);
    await world.settlement.settle(id, factsOf({ callId: second.callId }));
    await world.settlement.settle(id, factsOf({}));
    expect(world.types().slice(1)).toEqual(['AttemptStarted', 'AttemptAnswered', 'AttemptEnded']);
  });

  it('means nothing for a call that goes on, for another attempt, or for a call that nobody placed', async () => {
    await world.lifecycle.attempt(id);
    await world.settlement.settle(id, factsOf({ status: 'in_progress' }));
    await world.settlement.settle(id, factsOf({ callId: second.callId }));
    await world.settlement.settle('018f0000-0000-7000-8000-000000000999', factsOf({}));
    expect(world.types().slice(1)).toEqual(['AttemptStarted', 'AttemptAnswered']);
  });

  it('loses against a cancellation that came first', async () => {
    await world.lifecycle.attempt(id);
    await world.cancel();
    await world.settlement.settle(id, factsOf({}));
    expect(await world.state()).toMatchObject({ status: 'cancelled' });
  });
});
