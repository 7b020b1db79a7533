// Several dialers, dead dialers with the calls that they left behind, and the read model that all of them share.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { diagnose } from '@parlance/doctor';
import { eventually } from '@parlance/fixtures';
import type { RunningService } from '@parlance/observability';
import { checks } from './doctor.js';
import { attemptIds, calleeIdentity } from './domain/outbound-call/attempt-ids.js';
import { followers } from './integration/followers.js';
import { operations } from './operations/operations.js';
import { subjectOfCall } from './personal-data/forget-calls.js';
import { stepMeta } from './repositories/outbound-call-repository.js';
import { type DialingWorld, otherTrunkId, startDialingWorld } from './testing/dialing-world.js';
import { endOf, quickCallsOf } from './testing/quick-calls.js';

let world: DialingWorld;
let dialer: RunningService;

beforeAll(async () => {
  world = await startDialingWorld();
  dialer = await world.startDialer();
});
afterAll(async () => {
  await dialer?.stop();
  await world?.remove();
});

const { organization, retry, until, toldAbout } = quickCallsOf(() => world);

it('has a checkpoint for each follower that the doctor looks at, and for no other', async () => {
  await eventually(async () => {
    const { rows } = await world.db.query<{ id: string }>('select id from projection_checkpoints');
    expect(rows.map(({ id }) => id).sort()).toEqual(followers.map(({ id }) => id).sort());
  });
  const places = [{ process: 'outbound-dialer', variables: world.variables }];
  expect((await diagnose({ places, checks })).findings).toEqual([]);
});

describe('what a process left behind that died', () => {
  /** The start of an attempt, recorded by a process that is no more. */
  const leaveBehind = async (deadlineAt: string) => {
    const { who, agentId } = organization();
    const id = randomUUID();
    const now = new Date().toISOString();
    const meta = (step: string) => stepMeta(who.organizationId, id, step, now);
    const placed = {
      organizationId: who.organizationId,
      mode: 'quick',
      agentId,
      agentName: 'Ada',
      configVersion: 3,
      provider: null,
      sid: null,
      campaignId: null,
      rowNumber: null,
      ringingTimeoutSeconds: 10,
      retryPolicy: null,
      // not due for any other dialer before its attempt has started
      placedAt: new Date(Date.now() - 60_000).toISOString(),
    } as const;
    const personal = {
      phoneNumber: '+14155550100',
      fromNumber: '+14155550142',
      username: null,
      firstMessage: null,
      systemPrompt: null,
      language: null,
      voiceId: null,
      dynamicVariables: {},
      metadata: {},
    };
    const ids = attemptIds(id, 1);
    await dialer.stop();
    await world.calls(id, { type: 'PlaceCall', placed, personal }, meta('place'));
    await world.calls(id, { type: 'StartAttempt', attempt: 1, ...ids, deadlineAt, now }, meta('start'));
    return { who, id, ...ids };
  };

  it('is adopted when the phone was answered', async () => {
    const left = await leaveBehind(new Date(Date.now() + 60_000).toISOString());
    await world.rooms.createRoom({ name: left.roomName, metadata: {}, emptyTimeoutSeconds: 60 });
    await world.rooms.dial({
      room: left.roomName,
      identity: calleeIdentity(left.attemptId),
      to: '+14155550100',
      from: '+14155550142',
      trunkId: otherTrunkId,
      ringingTimeoutSeconds: 10,
      longestSeconds: 600,
      attemptId: left.attemptId,
    });
    dialer = await world.startDialer();
    await until(left.id, left.who, { status: 'in_progress', attempts: [{ attemptId: left.attemptId }] });
    expect(await world.dialsOf(left.roomName)).toEqual({ dials: 1, rings: 1 });
  });

  it('is unknown when there is no evidence at its deadline, and only a person can ask for another attempt', async () => {
    const left = await leaveBehind(new Date().toISOString());
    dialer = await world.startDialer();
    await until(left.id, left.who, { status: 'failed', endedReason: 'outcome_unknown', retryable: true });
    expect(await world.dialsOf(left.roomName)).toEqual({ dials: 0, rings: 0 });
    await eventually(() => expect(toldAbout(left.callId)).toEqual(['started', 'settled']));
    expect(await retry(left.id, left.who)).toMatchObject({ status: 'queued', attempt: 2 });
    await until(left.id, left.who, { status: 'in_progress', attempt: 2 });
  });
});

describe('a call whose end nobody told', () => {
  it('is asked for', async () => {
    const { who, quick } = organization();
    const { id } = await quick();
    const answered = await until(id, who, { status: 'in_progress' });
    world.facts.set(answered.callId ?? '', endOf(answered, { endedReason: 'agent_hangup' }));
    await eventually(async () => {
      const { rowCount } = await world.db.query(
        `update outbound_calls set updated_at = updated_at - interval '1 minute' where id = $1 and phase = 'connected'`,
        [id],
      );
      expect(rowCount).toBe(1);
    });
    await until(id, who, { status: 'completed', endedReason: 'agent_hangup' });
  });
});

describe('a dialer that starts', () => {
  it('dials once it answers requests, and not before', async () => {
    const { who, quick } = organization();
    await dialer.stop();
    let id = '';
    const asked = async (): Promise<void> => {
      if (id !== '') return;
      ({ id } = await quick());
      await until(id, who, { status: 'queued' });
      expect(await world.dialsOf(attemptIds(id, 1).roomName)).toEqual({ dials: 0, rings: 0 });
    };
    dialer = await world.startDialer({}, (given) => ({
      onceServing: (begin) =>
        given.onceServing(async () => {
          await asked();
          await begin();
        }),
    }));
    await until(id, who, { status: 'in_progress' });
  });
});

describe('several dialers', () => {
  let others: RunningService[] = [];
  beforeAll(async () => {
    others = await Promise.all([world.startDialer(), world.startDialer({ MAX_CONCURRENT_DIALS: '3' })]);
  });
  afterAll(async () => {
    await Promise.all(others.map((other) => other.stop()));
  });

  it.concurrent('share the work and never dial twice', async () => {
    const { who, quick } = organization();
    // Thirty at once may be more than a slow machine takes in; a caller asks again then.
    const placed = await Promise.all(Array.from({ length: 30 }, () => eventually(() => quick())));
    // One after the other, because thirty at once would keep this process busy with comparing, and the dialers are in it.
    for (const { id } of placed) await until(id, who, { status: 'in_progress' });
    for (const { id } of placed) {
      // A slow machine may end an attempt before its dial; the next attempt is the one that dials then.
      const attempts = await Promise.all([1, 2, 3].map((n) => world.dialsOf(attemptIds(id, n).roomName)));
      const sum = (of: 'dials' | 'rings') => attempts.reduce((total, attempt) => total + attempt[of], 0);
      expect({ dials: sum('dials'), rings: sum('rings') }).toEqual({ dials: 1, rings: 1 });
    }
  });

  it.concurrent('send each call through the trunk of the provider of its number, and through no other when that is missing', async () => {
    const [telnyx, trunkless, forgotten] = ['+14155550143', '+14155550144', '+14155550145'];
    world.elsewhere.set(telnyx, otherTrunkId).set(trunkless, null).set(forgotten, 'ST_forgotten');
    const { who, quick } = organization();
    const place = (fromNumber?: string) =>
      Promise.all(Array.from({ length: 6 }, () => quick(fromNumber === undefined ? {} : { fromNumber })));
    const [twilios, telnyxes] = [await place(), await place(telnyx)];
    for (const [calls, trunk] of [
      [twilios, 'ST_test'],
      [telnyxes, otherTrunkId],
    ] as const)
      for (const { id } of calls) {
        await until(id, who, { status: 'in_progress' });
        expect(await world.trunksOf(attemptIds(id, 1).roomName)).toEqual([trunk]);
      }
    const waiting = await Promise.all([trunkless, forgotten].map((fromNumber) => quick({ fromNumber })));
    const unplaced = { attempt: 1, status: 'failed', endedReason: 'provider_unavailable' };
    for (const { id } of waiting) {
      // A slow machine may see the next attempt, too.
      await until(id, who, { attempts: expect.arrayContaining([expect.objectContaining(unplaced)]) });
      expect(await world.trunksOf(attemptIds(id, 1).roomName)).toEqual([]);
    }
    world.elsewhere.set(trunkless, otherTrunkId).set(forgotten, otherTrunkId);
    for (const { id } of waiting) {
      const { attempts = [] } = await until(id, who, { status: 'in_progress' });
      expect(await world.trunksOf(attemptIds(id, attempts.length).roomName)).toEqual([otherTrunkId]);
    }
  });
});

describe('a dialer that is told to stop', () => {
  /** Calls that other copies could not take within the next seconds. */
  const claimed = async (): Promise<number> => {
    const { rows } = await world.db.query<{ claims: number }>(
      `select count(*)::int as claims from dial_claims where claimed_until > now() + interval '3 seconds'`,
    );
    return rows[0]?.claims ?? 0;
  };

  it('hears the outcome of the phone that rings, and gives back what waits for its slot or is watched', async () => {
    await dialer.stop();
    const leaving = await world.startDialer({
      ...{ TWILIO_CALLS_PER_SECOND: '0.1', DIALS_FINISH_WITHIN_SECONDS: '60' },
    });
    const { quick } = organization();
    const ringing = await quick({ phoneNumber: '+14155550160' });
    const { roomName } = attemptIds(ringing.id, 1);
    await eventually(async () => expect(await world.dialsOf(roomName)).toEqual({ dials: 1, rings: 1 }));
    const waiting = await quick();
    await eventually(async () => {
      const { rowCount } = await world.db.query(
        `select from dial_claims where outbound_call_id = $1 and claimed_until > now()`,
        [waiting.id],
      );
      expect(rowCount).toBe(1);
    });
    await leaving.stop();
    expect((await world.calls.load(ringing.id)).state).toMatchObject({ phase: 'ended', status: 'no_answer' });
    expect(await world.dialsOf(roomName)).toEqual({ dials: 1, rings: 1 });
    expect((await world.calls.load(waiting.id)).state.phase).toBe('queued');
    expect(await claimed()).toBe(0);
    dialer = await world.startDialer();
  });

  it('leaves a phone that rings longer than it waits to another copy, which finds it in its room', async () => {
    await dialer.stop();
    const leaving = await world.startDialer({ DIALS_FINISH_WITHIN_SECONDS: '0' });
    const { quick } = organization();
    // The telephone is picked up after twenty seconds.
    const { id } = await quick({ phoneNumber: '+14155550194', ringingTimeoutSeconds: 30 });
    const { roomName } = attemptIds(id, 1);
    await eventually(async () => expect(await world.dialsOf(roomName)).toEqual({ dials: 1, rings: 1 }));
    await leaving.stop();
    expect((await world.calls.load(id)).state.phase).toBe('dialing');
    expect(await claimed()).toBe(0);
    dialer = await world.startDialer();
    // Recovery found the callee in the room, where the phone still rings.
    await eventually(async () =>
      expect((await world.calls.load(id)).state).toMatchObject({ phase: 'dialing', evidence: 'adopted' }),
    );
    expect(await world.dialsOf(roomName)).toEqual({ dials: 1, rings: 1 });
  });
});

describe('the read model', () => {
  it('is the same when it is made again from the streams', async () => {
    const rows = async () => {
      const found = await world.db.query<{ id: string; phase: string; personal: string }>(
        'select * from outbound_calls order by id',
      );
      // Sealed anew each time.
      const calls = await Promise.all(
        found.rows.map(async (row) => ({
          ...row,
          personal: await world.personalData.open(subjectOfCall(row.id), row.personal),
        })),
      );
      const attempts = await world.db.query('select * from outbound_attempts order by call_id');
      return { calls, attempts: attempts.rows };
    };
    await eventually(async () => {
      const first = await rows();
      expect(first.calls.length).toBeGreaterThan(20);
      expect(await rows()).toEqual(first);
    });
    await dialer.stop();
    const before = await rows();
    await operations.readModels[0]?.rebuild(world.variables, {});
    expect((await rows()).calls).toHaveLength(before.calls.length);
    dialer = await world.startDialer();
    await eventually(async () => {
      const after = await rows();
      const open = new Set(before.calls.filter(({ phase }) => phase !== 'ended').map(({ id }) => id));
      const settled = ({ calls }: typeof after) => calls.filter(({ id }) => !open.has(id));
      expect(settled(after)).toEqual(settled(before));
      expect(after.attempts).toEqual(before.attempts);
    });
  });
});
