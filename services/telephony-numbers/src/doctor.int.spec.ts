// The doctor's check of trunks, after an operator has worked on LiveKit by hand.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { diagnose } from '@parlance/doctor';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import { createMediaRooms, createOutboundTrunks } from '@parlance/media-rooms';
import { createLogger } from '@parlance/observability';
import { newSipCredential } from '@parlance/telephony';
import { checks } from './doctor.js';
import { Env } from './env.js';
import { NumbersWorld } from './testing/numbers-world.js';

let world: NumbersWorld;
beforeAll(async () => {
  world = await NumbersWorld.start();
});
afterAll(() => world?.stop());

const report = (more: Readonly<Record<string, string>> = {}, placesCalls = false) =>
  diagnose({
    places: [{ process: 'telephony-numbers', variables: { ...world.variables, ...more } }],
    ...{ checks, placesCalls },
  });
const look = async () =>
  (await report()).findings.map(({ code, subject, advice }) => ({ code, subject, advice }));

const roomsOf = () =>
  createMediaRooms(Env.parse(world.variables), {
    logger: createLogger({ service: 'test', level: 'silent' }),
  });

it('calls the echo number through an account when it is asked to, and tells what became of the call', async () => {
  const service = await world.startService();
  await eventually(async () => expect(await look()).toEqual([]));
  const call = async (to: string) =>
    (await report({ DOCTOR_ECHO_NUMBER: to }, true)).findings.map(({ code, advice }) => [code, advice]);
  const noNumber = ['ECHO_CALL_WITHOUT_WAY', expect.stringContaining('Buy a number of this provider')];
  expect(await call('+14155550100')).toEqual([noNumber, noNumber]);

  const owner = ownerOf();
  const [offer] = await world.search('TWILIO', owner);
  if (offer === undefined) throw new Error('no number is for sale');
  const { id } = await world.buy('TWILIO', offer, owner);
  await eventually(async () =>
    expect(await world.list(owner)).toEqual([expect.objectContaining({ id, status: 'active' })]),
  );
  // The last digits of a phone's number decide its behaviour (sandbox/fakes/livekit/README.md).
  expect(await call('+14155550100')).toEqual([noNumber]);
  expect(await call('+14155550170')).toEqual([
    ['ECHO_CALL_NOT_ANSWERED', expect.stringContaining('Call DOCTOR_ECHO_NUMBER with a telephone')],
    noNumber,
  ]);
  expect(await call('+14155550190')).toEqual([
    ['ECHO_CALL_REFUSED', expect.stringContaining('call log of the provider')],
    noNumber,
  ]);
  world.faults.livekit.set({ target: 'sip', mode: 'reset-after', times: 1 });
  expect(await call('+14155550100')).toEqual([
    ['ECHO_CALL_UNCERTAIN', expect.stringContaining('livekit-sip')],
    noNumber,
  ]);
  // No phone is called where no call was asked for.
  const quiet = await report({ DOCTOR_ECHO_NUMBER: '+14155550170' });
  expect(quiet.findings).toEqual([]);
  expect(quiet.looked.map(({ check }) => check)).toEqual(['trunks']);
  // Each call was hung up.
  expect(await roomsOf().rooms()).toEqual([]);
  await service.stop();
});

it('finds a trunk to another provider, a changed one and a missing one, and nothing where all is well', async () => {
  const service = await world.startService();
  await eventually(async () => expect(await look()).toEqual([]));
  // From here on no service repairs the trunks.
  await service.stop();
  const atMediaServer = createOutboundTrunks(Env.parse(world.variables));
  const kept = await atMediaServer.list('main');
  const twilio = kept.find(({ provider }) => provider === 'TWILIO');
  if (twilio === undefined) throw new Error('there is no trunk for Twilio');
  const { isIntact, trunkId, ...route } = twilio;
  const { password, username } = newSipCredential();
  const put = (change: object) =>
    atMediaServer.put({ ...route, installation: 'main', username, password, ...change }, trunkId);

  await put({ provider: 'TELNYX', address: 'sip.telnyx.com' });
  expect(await look()).toEqual([
    expect.objectContaining({
      code: 'TRUNK_OF_ANOTHER_PROVIDER',
      advice: expect.stringContaining('Delete the trunk'),
    }),
  ]);
  await put({ credential: 'of another' });
  expect(await look()).toEqual([
    expect.objectContaining({ code: 'TRUNK_CHANGED', advice: expect.stringContaining('mends it') }),
  ]);
  await world.db.query(
    `update outbound_trunks set trouble = 'the account has no money' where provider = 'TELNYX'`,
  );
  expect(await look()).toContainEqual(
    expect.objectContaining({
      code: 'TRUNK_IN_TROUBLE',
      advice: expect.stringContaining('names the remedy'),
    }),
  );
  await world.db.query(`update outbound_trunks set trouble = null`);
  const { rows } = await world.db.query<{ phone_number: string }>('select phone_number from numbers');
  const phoneNumber = rows[0]?.phone_number ?? '';
  await roomsOf().unrouteInbound(phoneNumber);
  expect(await look()).toContainEqual({
    ...{ code: 'NUMBER_WITHOUT_ROUTE', subject: expect.stringContaining(phoneNumber.slice(-4)) },
    advice: expect.stringContaining('makes routes again'),
  });
  const routeFrom = (address: string) =>
    roomsOf().routeInbound({ phoneNumber, name: 'again', allowedAddresses: [address] });
  await routeFrom('0.0.0.0/0');
  expect(await look()).toContainEqual(
    expect.objectContaining({ code: 'TRUNK_OPEN', advice: expect.stringContaining('within a minute') }),
  );
  await roomsOf().routeInbound({
    phoneNumber,
    name: 'again',
    allowedAddresses: ['0.0.0.0/0'],
    credentials: { username: 'carrier', password: new Secret('a-password-of-a-carrier') },
  });
  expect(await look()).toContainEqual(expect.objectContaining({ code: 'TRUNK_OF_OTHER_ADDRESSES' }));
  expect(await look()).not.toContainEqual(expect.objectContaining({ code: 'TRUNK_OPEN' }));
  await routeFrom('192.0.2.7/32');
  expect(await look()).toContainEqual(expect.objectContaining({ code: 'TRUNK_OF_OTHER_ADDRESSES' }));
  await routeFrom('127.0.0.1/32');
  await atMediaServer.remove(trunkId);
  expect(await look()).toEqual([
    expect.objectContaining({
      code: 'TRUNK_MISSING',
      advice: expect.stringContaining('Start telephony-numbers'),
    }),
  ]);
});
