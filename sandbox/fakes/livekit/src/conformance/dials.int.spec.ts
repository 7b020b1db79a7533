// The outcomes of dials. The phones are the stand-in's, or telephones on a wire (CONFORMANCE_SIP_ADDRESS) with the same
// last two digits. Either kind writes the ledger that counts their calls.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServerError, SipCallError } from 'livekit-server-sdk';
import { until } from '../testing/fake-platform.js';
import { type ConformanceTarget, conformanceTarget, hasPhones } from './support.js';

let target: ConformanceTarget;
let trunkId: string;
const made: string[] = [];

beforeAll(async () => {
  if (!hasPhones) return;
  target = await conformanceTarget();
  trunkId = (await target.sip.createSipOutboundTrunk('conformance', target.carrier, ['*'])).sipTrunkId;
});
afterAll(async () => {
  if (!hasPhones) return;
  for (const name of made) await target.rooms.deleteRoom(name).catch(() => undefined);
  await target.sip.deleteSipTrunk(trunkId);
  await target.close();
});

/** A number that only this file calls. Only its last two digits have a meaning. */
const numberEnding = (digits: string): string =>
  `+1415555${String(10 + Math.floor(Math.random() * 80))}${digits}`;

const attemptIn = async () => {
  const attemptId = randomUUID();
  const room = `ob_${attemptId}`;
  made.push(room);
  await target.rooms.createRoom({ name: room, emptyTimeout: 60 });
  return { attemptId, room, identity: `pstn_${attemptId}` };
};
type Attempt = Awaited<ReturnType<typeof attemptIn>>;

const dial = (
  { attemptId, room, identity }: Attempt,
  digits: string,
  options: { ringingTimeout?: number; maxCallDuration?: number; waitUntilAnswered?: boolean } = {},
) =>
  target.sip.createSipParticipant(trunkId, numberEnding(digits), room, {
    ...{ participantIdentity: identity, fromNumber: '+14155550142', waitUntilAnswered: true },
    ...{ participantAttributes: { 'parlance.attemptId': attemptId }, headers: { 'X-Attempt-Id': attemptId } },
    ...{ ringingTimeout: 10, timeout: 20, ...options },
  });

const statusOf = async ({ room, identity }: Attempt): Promise<string | undefined> => {
  try {
    const { attributes } = await target.rooms.getParticipant(room, identity);
    return attributes['sip.callStatus'];
  } catch (error) {
    if (error instanceof ServerError && error.status === 404) return 'absent';
    throw error;
  }
};
const untilStatus = (attempt: Attempt, status: string): Promise<true> =>
  until(async () => ((await statusOf(attempt)) === status ? true : undefined));

const takenBack = { status: 408, code: 'canceled', message: 'twirp error unknown: sip request timed out' };
const phones = hasPhones ? describe : describe.skip;

phones('a dial', () => {
  it('that is answered leaves the callee in the room, active, until the room is deleted', async () => {
    const attempt = await attemptIn();
    const { sipCallId, participantIdentity } = await dial(attempt, '00');
    expect(participantIdentity).toBe(attempt.identity);
    await untilStatus(attempt, 'active');
    const { attributes } = await target.rooms.getParticipant(attempt.room, attempt.identity);
    expect(attributes).toMatchObject({
      'sip.callID': sipCallId,
      'sip.trunkID': trunkId,
      'sip.trunkPhoneNumber': '+14155550142',
      'sip.hostname': target.carrier,
      'parlance.attemptId': attempt.attemptId,
    });
    await target.rooms.deleteRoom(attempt.room);
    await untilStatus(attempt, 'absent');
    expect(await target.callsOf(attempt.room)).toEqual({ rings: 1 });
  });

  it.each([
    ['70', 486, 'resource_exhausted', 429],
    ['80', 603, 'permission_denied', 403],
    ['90', 404, 'not_found', 404],
  ])('to …%s is refused with SIP status %i as %s', async (digits, sipStatusCode, code, status) => {
    const attempt = await attemptIn();
    const failure: unknown = await dial(attempt, digits).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SipCallError);
    expect(failure).toMatchObject({ sipStatusCode, code, status });
    await untilStatus(attempt, 'absent');
  });

  it('without an answer is taken back when the ringing time is over, without a SIP status, and rings once', async () => {
    const attempt = await attemptIn();
    const ringing = dial(attempt, '60', { ringingTimeout: 2 }).catch((error: unknown) => error);
    await untilStatus(attempt, 'ringing');
    const failure: unknown = await ringing;
    expect(failure).not.toBeInstanceOf(SipCallError);
    expect(failure).toMatchObject(takenBack);
    await untilStatus(attempt, 'absent');
    expect(await target.callsOf(attempt.room)).toEqual({ rings: 1 });
  });

  it('is taken back when its room is deleted, and when the longest time of the call is over', async () => {
    const [deleted, longest] = [await attemptIn(), await attemptIn()];
    const ringing = dial(deleted, '60').catch((error: unknown) => error);
    const limited = dial(longest, '61', { maxCallDuration: 1 }).catch((error: unknown) => error);
    await untilStatus(deleted, 'ringing');
    await target.rooms.deleteRoom(deleted.room);
    expect(await ringing).toMatchObject(takenBack);
    expect(await limited).toMatchObject(takenBack);
  });

  it('that comes after its room was deleted makes no room, and no phone rings', async () => {
    const attempt = await attemptIn();
    await target.rooms.deleteRoom(attempt.room);
    await expect(dial(attempt, '00')).rejects.toMatchObject({
      ...{ status: 500, code: 'internal', message: 'twirp error unknown: update room failed: not found' },
    });
    expect(await target.rooms.listRooms([attempt.room])).toEqual([]);
    expect(await target.callsOf(attempt.room)).toEqual({ rings: 0 });
  });

  it('that does not wait tells of the callee through the room alone', async () => {
    const attempt = await attemptIn();
    const { sipCallId } = await dial(attempt, '70', { waitUntilAnswered: false });
    expect(sipCallId).toMatch(/^SCL_/);
    await untilStatus(attempt, 'ringing');
    await untilStatus(attempt, 'absent');
  });

  it('that a carrier refuses as one too many says so with any status of the carrier, and no phone rings', async () => {
    const attempt = await attemptIn();
    const failure: unknown = await dial(attempt, '95').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SipCallError);
    if (failure instanceof SipCallError) expect(failure.sipStatus).toMatch(/per second|too many requests/i);
    expect(await target.callsOf(attempt.room)).toEqual({ rings: 0 });
  });

  it('to no number, to an address, or through no trunk is refused by the server itself', async () => {
    const attempt = await attemptIn();
    const refusal = async (number: string, trunk = trunkId): Promise<unknown> =>
      target.sip.createSipParticipant(trunk, number, attempt.room).catch((error: unknown) => error);
    expect(await refusal('')).toMatchObject({ status: 400, message: 'missing sip callee number' });
    expect(await refusal('sip:a@b')).toMatchObject({ status: 400, code: 'invalid_argument' });
    expect(await refusal('+14155550100', 'ST_nothing')).toMatchObject({
      ...{ status: 404, code: 'not_found', message: 'requested sip trunk does not exist' },
    });
  });
});
