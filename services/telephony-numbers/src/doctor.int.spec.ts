// The doctor's check of trunks, after an operator has worked on LiveKit by hand.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { diagnose } from '@parlance/doctor';
import { createOutboundTrunks } from '@parlance/media-rooms';
import { newSipCredential } from '@parlance/telephony';
import { eventually } from '@parlance/testing';
import { checks } from './doctor.js';
import { Env } from './env.js';
import { NumbersWorld } from './testing/numbers-world.js';

let world: NumbersWorld;
beforeAll(async () => {
  world = await NumbersWorld.start();
});
afterAll(() => world?.stop());

const look = async () =>
  (
    await diagnose({ places: [{ process: 'telephony-numbers', variables: world.variables }], checks })
  ).findings.map(({ code, subject, advice }) => ({ code, subject, advice }));

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
  await atMediaServer.remove(trunkId);
  expect(await look()).toEqual([
    expect.objectContaining({
      code: 'TRUNK_MISSING',
      advice: expect.stringContaining('Start telephony-numbers'),
    }),
  ]);
});
