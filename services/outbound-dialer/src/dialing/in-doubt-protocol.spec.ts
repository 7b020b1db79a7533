import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CallFacts } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Dial, DialOutcome, Participant } from '@parlance/media-rooms';
import { createLogger } from '@parlance/observability';
import type { Verdict } from '../admission/admission.js';
import { attemptIds } from '../outbound-call/attempt-ids.js';
import {
  type OutboundCalls,
  openOutboundCalls,
  stepMeta,
} from '../outbound-call/outbound-call-repository.js';
import { at, callEnd, commands, outboundCallId as id, organizationId } from '../testing/histories.js';
import { MemoryEventStore } from '../testing/memory-event-store.js';
import { noCrashPoints } from './crash-points.js';
import { InDoubtProtocol } from './in-doubt-protocol.js';

const first = attemptIds(id, 1);
const second = attemptIds(id, 2);
const stream = `outboundCall-${id}`;

/** A media server that does as it is told, and remembers what it was asked. */
class ScriptedRooms {
  readonly dials: Dial[] = [];
  readonly made: unknown[] = [];
  readonly deleted: string[] = [];
  callee: Participant | null = null;
  /** Runs while the phone rings. */
  dialing: (dial: Dial) => Promise<DialOutcome> = async () => ({ kind: 'answered', sipCallId: 'SCL_1' });
  making: () => Promise<void> = async () => undefined;
  isAway = false;

  async createRoom(room: unknown): Promise<void> {
    await this.making();
    this.#answer();
    this.made.push(room);
  }
  async deleteRoom(name: string): Promise<'deleted'> {
    this.#answer();
    this.deleted.push(name);
    return 'deleted';
  }
  async participant(): Promise<Participant | null> {
    this.#answer();
    return this.callee;
  }
  dial(dial: Dial): Promise<DialOutcome> {
    this.dials.push(dial);
    return this.dialing(dial);
  }
  #answer(): void {
    if (this.isAway) throw new AppError('PROVIDER_UNAVAILABLE');
  }
}

const calleeWith = (sipCallStatus: string): Participant => ({
  identity: `pstn_${first.attemptId}`,
  kind: 'sip',
  attributes: {},
  sipCallStatus,
  sipCallId: 'SCL_1',
});

const factsOf = (facts: Partial<CallFacts>): CallFacts => ({
  ...callEnd,
  callId: first.callId,
  outboundCallId: id,
  startedAt: at(0),
  ...facts,
});

let now: number;
let store: MemoryEventStore;
let calls: OutboundCalls;
let rooms: ScriptedRooms;
let facts: CallFacts[] | 'away';
let protocol: InDoubtProtocol;
let verdict: Verdict;

const pass = (seconds: number): void => {
  now += seconds * 1_000;
};
const types = () => store.typesOf(stream);
const state = async () => (await calls.load(id)).state;
const meta = (name: string) => stepMeta(organizationId, id, name, new Date(now).toISOString());
const cancel = () =>
  calls(id, { ...commands.CancelCall, now: new Date(now).toISOString() }, meta('cancel')).then(
    () => undefined,
  );

beforeEach(async () => {
  now = Date.parse(at(0));
  store = new MemoryEventStore();
  calls = openOutboundCalls(store);
  rooms = new ScriptedRooms();
  facts = [];
  verdict = { kind: 'yes' };
  protocol = new InDoubtProtocol({
    calls,
    rooms,
    askCalls: async () => {
      if (facts === 'away') throw new AppError('SERVICE_UNAVAILABLE');
      return facts;
    },
    admission: { mayDialNow: async () => verdict },
    clock: { now: () => new Date(now) },
    ids: { next: () => randomUUID() },
    crash: noCrashPoints,
    logger: createLogger({ service: 'test', level: 'silent' }),
    trunkId: 'trunk',
    pause: async (ms) => pass(ms / 1_000),
  });
  await calls(id, commands.PlaceCall, meta('place'));
});

describe('dialling', () => {
  it('records the start, makes the room with the agent in it, dials once, and records the answer', async () => {
    rooms.dialing = async () => {
      expect(types()).toEqual(['OutboundCallPlaced', 'AttemptStarted']);
      expect(rooms.made).toHaveLength(1);
      return { kind: 'answered', sipCallId: 'SCL_1' };
    };
    await protocol.attempt(id);
    expect(types()).toEqual(['OutboundCallPlaced', 'AttemptStarted', 'AttemptAnswered']);
    expect(rooms.dials).toEqual([
      {
        room: `ob_${first.attemptId}`,
        identity: `pstn_${first.attemptId}`,
        to: '+14155550100',
        from: '+14155550142',
        trunkId: 'trunk',
        ringingTimeoutSeconds: 30,
        attemptId: first.attemptId,
      },
    ]);
    expect(rooms.made[0]).toMatchObject({
      name: `ob_${first.attemptId}`,
      metadata: { callId: first.callId, organizationId, outboundCallId: id, toNumber: '+14155550100' },
      agent: { metadata: { callId: first.callId, channel: 'phone', direction: 'outbound' } },
    });
    expect(await state()).toMatchObject({ phase: 'connected', current: { providerCallId: 'SCL_1' } });
  });

  it('looks at the call once more between the room and the dial, and not before when it is known', async () => {
    const known = await calls.load(id);
    const before = store.reads;
    rooms.making = async () => expect(store.reads).toBe(before);
    rooms.dialing = async () => {
      expect(store.reads).toBe(before + 1);
      return { kind: 'answered', sipCallId: 'SCL_1' };
    };
    await protocol.attempt(id, { known });
    expect(rooms.dials).toHaveLength(1);
    expect(store.reads).toBe(before + 1);
    expect(await state()).toMatchObject({ phase: 'connected' });
  });

  it('does not happen on what is known of a call that was cancelled or started since', async () => {
    const known = await calls.load(id);
    await Promise.all([protocol.attempt(id, { known }), protocol.attempt(id, { known })]);
    await protocol.attempt(id, { known });
    expect(rooms.dials).toHaveLength(1);
    await cancel();
    await protocol.attempt(id, { known });
    expect(rooms.dials).toHaveLength(1);
  });

  it('is hung up when the call was cancelled while it rang, though it was there when last looked at', async () => {
    rooms.dialing = async () => {
      await cancel();
      return { kind: 'answered', sipCallId: 'SCL_1' };
    };
    await protocol.attempt(id);
    expect(types().slice(1)).toEqual(['AttemptStarted', 'OutboundCallCancelled']);
    expect(rooms.deleted).toContain(`ob_${first.attemptId}`);
  });

  it('waits as long as the request may take, the phone may ring, and half a minute more', async () => {
    await protocol.attempt(id);
    expect(await state()).toMatchObject({ current: { startedAt: at(0), deadlineAt: at(30 + 10 + 30 + 30) } });
  });

  it('happens once when two workers want it', async () => {
    await Promise.all([protocol.attempt(id), protocol.attempt(id), protocol.attempt(id)]);
    expect(rooms.dials).toHaveLength(1);
  });

  it('does not happen for a call that was cancelled, ended, or is somebody else’s attempt already', async () => {
    await cancel();
    await protocol.attempt(id);
    expect(rooms.dials).toEqual([]);
    await protocol.attempt('018f0000-0000-7000-8000-000000000999');
    expect(rooms.dials).toEqual([]);
  });

  it('does not happen when the start cannot be recorded', async () => {
    store.outage = 1;
    await expect(protocol.attempt(id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(rooms).toMatchObject({ dials: [], made: [] });
  });

  it('does not happen when the call was cancelled after the start', async () => {
    rooms.making = cancel;
    await protocol.attempt(id);
    expect(rooms).toMatchObject({ dials: [], deleted: [`ob_${first.attemptId}`] });
    expect(types().slice(1)).toEqual(['AttemptStarted', 'OutboundCallCancelled', 'AttemptHungUp']);
  });

  it('does not happen when it cannot be seen whether the call was cancelled', async () => {
    rooms.making = async () => {
      store.outage = 3;
    };
    await protocol.attempt(id);
    expect(rooms.dials).toEqual([]);
    expect(types().slice(1)).toEqual(['AttemptStarted', 'AttemptAbandoned']);
  });

  it('does not happen by a worker that was held up for five seconds; another attempt follows', async () => {
    rooms.making = async () => pass(5);
    await protocol.attempt(id);
    expect(rooms).toMatchObject({ dials: [], deleted: [`ob_${first.attemptId}`] });
    expect(types().slice(1)).toEqual(['AttemptStarted', 'AttemptAbandoned']);
    rooms.making = async () => undefined;
    await protocol.attempt(id);
    expect(rooms.dials.map(({ attemptId }) => attemptId)).toEqual([second.attemptId]);
  });

  it('does not happen to somebody who may not be called now; another attempt follows when that is over', async () => {
    verdict = { kind: 'later', reason: 'outside_calling_window', at: new Date(at(3_600)) };
    await protocol.attempt(id);
    expect(rooms).toMatchObject({ dials: [], deleted: [`ob_${first.attemptId}`] });
    expect(await state()).toMatchObject({ phase: 'queued', notBefore: at(3_600) });
    verdict = { kind: 'yes' };
    await protocol.attempt(id);
    expect(rooms.dials).toEqual([]);
    pass(3_600);
    await protocol.attempt(id);
    expect(rooms.dials.map(({ attemptId }) => attemptId)).toEqual([second.attemptId]);
  });

  it('does not happen to somebody who may not be called at all, and says why', async () => {
    verdict = { kind: 'never', reason: 'suppressed_dnc' };
    await protocol.attempt(id);
    await protocol.attempt(id);
    expect(rooms.dials).toEqual([]);
    expect(await state()).toMatchObject({ phase: 'ended', status: 'failed', endedReason: 'suppressed_dnc' });
  });

  it('is tried again later when there is no room to be had, and fails after three times', async () => {
    rooms.isAway = true;
    for (const attempts of [1, 2, 3]) {
      await protocol.attempt(id);
      await protocol.attempt(id);
      expect(types().filter((type) => type === 'AttemptRejected')).toHaveLength(attempts);
      pass(5);
    }
    await protocol.attempt(id);
    expect(rooms.dials).toEqual([]);
    expect(await state()).toMatchObject({
      phase: 'ended',
      status: 'failed',
      endedReason: 'provider_unavailable',
      past: [{}, {}, {}],
    });
  });
});

describe('the outcome of a dial', () => {
  it.each([
    ['busy', 'busy', 486],
    ['no_answer', 'declined', 603],
    ['failed', 'invalid_destination', 404],
  ] as const)('%s (%s) ends the call and closes the room', async (status, endedReason, sipStatus) => {
    rooms.dialing = async () => ({ kind: 'refused', status, endedReason, sipStatus });
    await protocol.attempt(id);
    expect(await state()).toMatchObject({ phase: 'ended', status, endedReason, past: [{ sipStatus }] });
    expect(rooms.deleted).toEqual([`ob_${first.attemptId}`]);
    await protocol.attempt(id);
    expect(rooms.dials).toHaveLength(1);
  });

  it('429 is a new attempt after the time that the provider asked for', async () => {
    const refusal = { kind: 'refused', status: 'failed', endedReason: 'provider_rejected' } as const;
    rooms.dialing = async () => ({ ...refusal, sipStatus: 429, retryAfterSeconds: 7 });
    await protocol.attempt(id);
    expect(await state()).toMatchObject({ phase: 'queued', notBefore: at(7) });
    await protocol.attempt(id);
    expect(rooms.dials).toHaveLength(1);
    pass(7);
    rooms.dialing = async () => ({ kind: 'answered', sipCallId: 'SCL_2' });
    await protocol.attempt(id);
    expect(rooms.dials.map(({ attemptId }) => attemptId)).toEqual([first.attemptId, second.attemptId]);
    expect(await state()).toMatchObject({ phase: 'connected', past: [{ sipStatus: 429, status: 'failed' }] });
  });

  it('that is not certain leaves the attempt in doubt, and is never dialled again', async () => {
    rooms.dialing = async () => ({ kind: 'inDoubt', cause: new Error('reset') });
    await protocol.attempt(id);
    expect(types().slice(1)).toEqual(['AttemptStarted', 'AttemptInDoubt']);
    await protocol.attempt(id);
    await protocol.recover(id);
    expect(rooms.dials).toHaveLength(1);
    expect(rooms.deleted).toEqual([]);
  });

  it('is recorded when the event store comes back', async () => {
    rooms.dialing = async () => {
      store.outage = 5;
      return { kind: 'refused', status: 'busy', endedReason: 'busy', sipStatus: 486 };
    };
    await protocol.attempt(id);
    expect(await state()).toMatchObject({ phase: 'ended', status: 'busy' });
  });

  it('is given to recovery when the event store does not come back', async () => {
    rooms.dialing = async () => {
      store.outage = 1_000;
      return { kind: 'refused', status: 'busy', endedReason: 'busy', sipStatus: 486 };
    };
    await expect(protocol.attempt(id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    store.outage = 0;
    expect(await state()).toMatchObject({ phase: 'dialing' });
  });

  it('answered is hung up at once when the call was cancelled while it rang', async () => {
    rooms.dialing = async () => {
      await cancel();
      return { kind: 'answered', sipCallId: 'SCL_1' };
    };
    await protocol.attempt(id);
    expect(await state()).toMatchObject({ phase: 'ended', status: 'cancelled' });
    expect(rooms.deleted).toEqual([`ob_${first.attemptId}`]);
  });

  it('refused after the cancellation shows that nothing rings any more', async () => {
    rooms.dialing = async () => {
      await cancel();
      return { kind: 'refused', status: 'no_answer', endedReason: 'no_answer', sipStatus: 487 };
    };
    await protocol.attempt(id);
    expect(await state()).toMatchObject({
      status: 'cancelled',
      hangUp: null,
      past: [{ status: 'cancelled' }],
    });
  });
});

describe('recovery', () => {
  /** A process that died somewhere between the recorded start and the recorded outcome. */
  const crash = async () => {
    rooms.dialing = () => Promise.reject(new Error('the process is gone'));
    await expect(protocol.attempt(id)).rejects.toThrow('the process is gone');
    rooms.dials.length = 0;
  };

  it('adopts a phone that rings, and then its answer', async () => {
    await crash();
    rooms.callee = calleeWith('ringing');
    await protocol.recover(id);
    expect(await state()).toMatchObject({
      phase: 'dialing',
      evidence: 'adopted',
      current: { status: 'ringing' },
    });
    rooms.callee = calleeWith('active');
    await protocol.recover(id);
    expect(await state()).toMatchObject({ phase: 'connected', current: { providerCallId: 'SCL_1' } });
    expect(types().slice(1)).toEqual(['AttemptStarted', 'AttemptAdopted', 'AttemptAnswered']);
  });

  it('adopts a phone that was answered already, even after the deadline', async () => {
    await crash();
    pass(1_000);
    rooms.callee = calleeWith('active');
    await protocol.recover(id);
    expect(types().slice(1)).toEqual(['AttemptStarted', 'AttemptAdopted', 'AttemptAnswered']);
  });

  it('believes calls-logs when the callee is not in the room any more', async () => {
    await crash();
    facts = [factsOf({})];
    await protocol.recover(id);
    expect(await state()).toMatchObject({ phase: 'ended', status: 'completed', endedReason: 'user_hangup' });
  });

  it('believes calls-logs that the phone was answered', async () => {
    await crash();
    facts = [factsOf({ status: 'in_progress', endedAt: null })];
    await protocol.recover(id);
    expect(await state()).toMatchObject({ phase: 'connected' });
  });

  it('waits without evidence until the deadline, and then says that nobody knows', async () => {
    await crash();
    facts = [factsOf({ status: 'ringing', answeredAt: null, endedAt: null })];
    await protocol.recover(id);
    expect(types().slice(1)).toEqual(['AttemptStarted', 'AttemptInDoubt']);
    pass(99);
    await protocol.recover(id);
    expect(types()).toHaveLength(3);
    pass(1);
    await protocol.recover(id);
    expect(types().slice(1)).toEqual(['AttemptStarted', 'AttemptInDoubt', 'AttemptOutcomeUnknown']);
    expect(rooms.deleted).toEqual([`ob_${first.attemptId}`]);
    expect(await state()).toMatchObject({ phase: 'ended', status: 'failed', endedReason: 'outcome_unknown' });
    await protocol.attempt(id);
    expect(rooms.dials).toEqual([]);
  });

  it('ends a phone that still rings after the deadline', async () => {
    await crash();
    rooms.callee = calleeWith('ringing');
    pass(100);
    await protocol.recover(id);
    expect(rooms.deleted).toEqual([`ob_${first.attemptId}`]);
    expect(await state()).toMatchObject({ endedReason: 'outcome_unknown' });
  });

  it('keeps its deadline when neither the media server nor calls-logs can be asked', async () => {
    await crash();
    rooms.isAway = true;
    facts = 'away';
    await protocol.recover(id);
    pass(100);
    await protocol.recover(id);
    expect(await state()).toMatchObject({ phase: 'ended', endedReason: 'outcome_unknown' });
  });

  it('hangs up what was cancelled until a late dial cannot find its room any more', async () => {
    await crash();
    await cancel();
    await protocol.recover(id);
    expect(rooms.deleted).toHaveLength(1);
    pass(100);
    await protocol.recover(id);
    expect(rooms.deleted).toHaveLength(2);
    expect(types().slice(1)).toEqual(['AttemptStarted', 'OutboundCallCancelled', 'AttemptHungUp']);
    await protocol.recover(id);
    expect(rooms.deleted).toHaveLength(2);
  });

  it('hangs up a conversation that was cancelled once', async () => {
    await protocol.attempt(id);
    await cancel();
    await protocol.recover(id);
    await protocol.recover(id);
    expect(rooms.deleted).toHaveLength(1);
    expect(await state()).toMatchObject({ status: 'cancelled', hangUp: null });
  });

  it('hangs up later when the media server is away', async () => {
    await protocol.attempt(id);
    await cancel();
    rooms.isAway = true;
    await expect(protocol.recover(id)).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
    expect(await state()).toMatchObject({ hangUp: { attemptId: first.attemptId } });
  });

  it('never dials, whatever it finds', async () => {
    await crash();
    for (const status of ['dialing', 'ringing', 'automation', 'active', 'hangup', null]) {
      rooms.callee = status === null ? null : calleeWith(status);
      await protocol.recover(id);
      pass(30);
    }
    expect(rooms.dials).toEqual([]);
  });

  it('has nothing to do where nothing is open', async () => {
    await protocol.recover(id);
    await cancel();
    await protocol.recover(id);
    expect(rooms).toMatchObject({ dials: [], deleted: [] });
  });
});

describe('the end of a call, as calls-logs tells it', () => {
  it('settles the outbound call once, however often it is told', async () => {
    await protocol.attempt(id);
    await protocol.settle(id, factsOf({}), 'event-1');
    await protocol.settle(id, factsOf({}), 'event-2');
    expect(types().slice(1)).toEqual(['AttemptStarted', 'AttemptAnswered', 'AttemptEnded']);
  });

  it('means nothing for a call that goes on, for another attempt, or for a call that nobody placed', async () => {
    await protocol.attempt(id);
    await protocol.settle(id, factsOf({ status: 'in_progress' }));
    await protocol.settle(id, factsOf({ callId: second.callId }));
    await protocol.settle('018f0000-0000-7000-8000-000000000999', factsOf({}));
    expect(types().slice(1)).toEqual(['AttemptStarted', 'AttemptAnswered']);
  });

  it('loses against a cancellation that came first', async () => {
    await protocol.attempt(id);
    await cancel();
    await protocol.settle(id, factsOf({}));
    expect(await state()).toMatchObject({ status: 'cancelled' });
  });
});
