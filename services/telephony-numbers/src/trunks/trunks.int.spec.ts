// Each provider account has one trunk at the media server, which is mended when a part of it is deleted or changed.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventSubject, events, makeEvent, serviceRequests } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import { createOutboundTrunks, type OutboundTrunk } from '@parlance/media-rooms';
import { createLogger, type RunningService, systemClock } from '@parlance/observability';
import { ReadinessCollector } from '@parlance/rpc';
import { newSipCredential } from '@parlance/telephony';
import { Env } from '../env.js';
import { noCrashPoints } from '../purchase/crash-points.js';
import { NumbersWorld, type ProviderName, providerNames } from '../testing/numbers-world.js';
import { sipTarget, telnyxOf, twilioOf } from '../testing/provider-sides.js';
import { TrunkKeeper } from './trunk-keeper.js';
import { trunkRows } from './trunk-rows.js';

const who = ownerOf();
let world: NumbersWorld;
let services: RunningService[];
beforeAll(async () => {
  world = await NumbersWorld.start();
  services = await Promise.all([world.startService(), world.startService()]);
});
afterAll(async () => {
  await Promise.all((services ?? []).map((service) => service.stop()));
  await world?.stop();
});

const atMediaServer = () => createOutboundTrunks(Env.parse(world.variables));

/** One more copy, which makes its rounds when the test says so. */
const keeper = () =>
  new TrunkKeeper({
    db: world.db,
    clock: systemClock,
    logger: createLogger({ service: 'test', level: 'silent' }),
    providers: world.providers,
    trunks: atMediaServer(),
    crash: noCrashPoints,
    installation: 'main',
    sipHost: sipTarget.host,
    places: { instead: {}, transport: 'tcp' },
  });

/** The one trunk that the provider has, when both sides and the record agree about it. */
const settled = (provider: ProviderName): Promise<OutboundTrunk> =>
  eventually(async () => {
    await keeper().round();
    const trunks = (await atMediaServer().list('main')).filter((trunk) => trunk.provider === provider);
    const row = (await trunkRows(world.db)).find((one) => one.provider === provider);
    const { credentials } = await world.account(provider).openTermination(sipTarget);
    expect(trunks).toHaveLength(1);
    const [trunk] = trunks;
    expect(trunk).toMatchObject({ trunkId: row?.trunk_id, credential: row?.credential, isIntact: true });
    expect(credentials).toEqual([{ username: trunk?.username, version: trunk?.credential }]);
    expect(row).toMatchObject({ trouble: null, suspected_at: null });
    if (trunk === undefined) throw new Error('no trunk');
    return trunk;
  });

/** Plays the passing of an hour: the providers are asked whether their settings have changed. */
const checkNow = () => world.db.query('update outbound_trunks set next_check_at = now()');

const forDialing = (fromNumber: string) =>
  world.ask(serviceRequests.numbersForDialing, { body: { fromNumber } }, who);

const buyOne = async (provider: ProviderName) => {
  const [offer] = await world.search(provider, who);
  if (offer === undefined) throw new Error('nothing is for sale');
  const { id } = await world.buy(provider, offer, who);
  return eventually(async () => {
    const bought = (await world.list(who)).find((number) => number.id === id);
    if (bought?.status !== 'active') throw new Error(`the number is ${bought?.status}`);
    return bought;
  });
};

const twilio = () => twilioOf(world);
const telnyx = () => telnyxOf(world);

/** The dialer tells of an attempt that the provider turned away. */
const tellTurnedAway = async (error: { sipStatus?: number; providerCode?: string }) => {
  const event = makeEvent(events.attemptSettled, {
    id: randomUUID(),
    occurredAt: new Date().toISOString(),
    organizationId: who.organizationId,
    data: {
      ...{ callId: randomUUID(), outboundCallId: randomUUID(), attemptId: randomUUID() },
      ...{ status: 'failed', endedReason: 'provider_rejected', endedAt: new Date().toISOString() },
      error: { reason: 'provider_rejected', ...error },
    },
  });
  await world.nats
    .jetstream()
    .publish(eventSubject(events.attemptSettled), JSON.stringify(event), { msgID: event.id });
};

describe.each(providerNames)('the trunk of %s', (provider) => {
  it('is one, made by one of two copies, and the dial of a bought number is told of it', async () => {
    const trunk = await settled(provider);
    const other = await settled(provider === 'TWILIO' ? 'TELNYX' : 'TWILIO');
    expect(trunk.address).toMatch(provider === 'TWILIO' ? /\.pstn\.twilio\.com$/ : /^sip\.telnyx\.com$/);
    const { phoneNumber } = await buyOne(provider);
    expect((await forDialing(phoneNumber)).trunkId).toBe(trunk.trunkId);
    expect(trunk.trunkId).not.toBe(other.trunkId);
  });

  it('is made again when the media server lost it, with new credentials, since the password is nowhere else', async () => {
    const before = await settled(provider);
    await atMediaServer().remove(before.trunkId);
    const after = await settled(provider);
    expect(after.trunkId).not.toBe(before.trunkId);
    expect(after.username).not.toBe(before.username);
  });

  it('gets credentials again when those at the provider are others', async () => {
    const before = await settled(provider);
    const account = world.account(provider);
    await account.dropCredentials(sipTarget, await account.addCredential(sipTarget, newSipCredential()));
    await checkNow();
    await eventually(async () => expect((await settled(provider)).credential).not.toBe(before.credential));
    expect((await settled(provider)).trunkId).toBe(before.trunkId);
  });

  it('gets credentials again when the media server was given others', async () => {
    const before = await settled(provider);
    const { password, username } = newSipCredential();
    const { isIntact, trunkId, ...route } = before;
    await atMediaServer().put({ ...route, username, password, installation: 'main' }, trunkId);
    await checkNow();
    await eventually(async () => expect((await settled(provider)).username).not.toBe(username));
  });
});

it('a trunk that was deleted at Twilio is made again, its numbers on it, and calls leave to its new domain', async () => {
  const { providerNumberId } = await buyOne('TWILIO');
  const before = await settled('TWILIO');
  const [trunk] = await twilio().trunking.v1.trunks.list();
  await twilio()
    .trunking.v1.trunks(trunk?.sid ?? '')
    .remove();
  // The first call that finds no trunk is the sign; a minute later would be too soon after the last look.
  await world.db.query("update outbound_trunks set updated_at = now() - interval '11 minutes'");
  await tellTurnedAway({ sipStatus: 404 });
  await eventually(async () => {
    await keeper().round();
    const number = await twilio()
      .incomingPhoneNumbers(providerNumberId ?? '')
      .fetch();
    expect(number.trunkSid).toMatch(/^TK/);
  });
  const after = await settled('TWILIO');
  expect(after.address).not.toBe(before.address);
  const [made] = await twilio().trunking.v1.trunks.list();
  expect(after.address).toBe(made?.domainName);
});

it('a connection at Telnyx without its profile gets one again, and numbers are connected with it', async () => {
  const { providerNumberId } = await buyOne('TELNYX');
  const { data } = await telnyx().outboundVoiceProfiles.list();
  await telnyx().outboundVoiceProfiles.delete(data[0]?.id ?? '');
  await checkNow();
  await eventually(async () => {
    const { data: number } = await telnyx().phoneNumbers.retrieve(providerNumberId ?? '');
    const { data: connection } = await telnyx().fqdnConnections.retrieve(number?.connection_id ?? '');
    const profile = connection?.outbound?.outbound_voice_profile_id;
    expect((await telnyx().outboundVoiceProfiles.retrieve(profile ?? '')).data?.id).toBe(profile);
  });
});

it('a call that was turned away has hidden passwords renewed, and those that the provider tells of only compared', async () => {
  const before = { TWILIO: await settled('TWILIO'), TELNYX: await settled('TELNYX') };
  await tellTurnedAway({ providerCode: 'sip_credentials_refused' });
  await eventually(async () =>
    expect((await settled('TELNYX')).credential).not.toBe(before.TELNYX.credential),
  );
  expect((await settled('TWILIO')).credential).toBe(before.TWILIO.credential);
  // One campaign must not have the credentials renewed for each of its calls.
  const renewed = await settled('TELNYX');
  await tellTurnedAway({ sipStatus: 403 });
  await tellTurnedAway({ sipStatus: 404 });
  const { phoneNumber } = await buyOne('TELNYX');
  expect((await forDialing(phoneNumber)).trunkId).toBe(renewed.trunkId);
  expect((await settled('TELNYX')).credential).toBe(renewed.credential);
});

it('an account that may not use SIP trunking is named, its numbers wait, and the other one still calls', async () => {
  world.faults.TWILIO.set({ target: 'trunking', mode: 'forbidden' });
  const trunk = await settled('TELNYX');
  await world.db.query(
    `update outbound_trunks set trunk_id = null, termination_id = null, next_check_at = now() where provider = 'TWILIO'`,
  );
  const heard = new ReadinessCollector(world.nats);
  await eventually(async () =>
    expect(heard.reports().get('telephony-numbers')?.troubles).toContainEqual({
      part: 'outbound-trunks',
      reason: 'calls through TWILIO: the account may not use SIP trunking',
    }),
  );
  heard.stop();
  const [offer] = await world.search('TWILIO', who);
  if (offer === undefined) throw new Error('nothing is for sale');
  const waiting = await world.buy('TWILIO', offer, who);
  expect(waiting.status).toBe('provisioning');
  const { phoneNumber } = await buyOne('TELNYX');
  expect((await forDialing(phoneNumber)).trunkId).toBe(trunk.trunkId);
  world.faults.TWILIO.clear();
  await checkNow();
  await settled('TWILIO');
  await eventually(async () =>
    expect((await world.list(who)).find(({ id }) => id === waiting.id)?.status).toBe('active'),
  );
});
