import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConformanceTarget, conformanceTarget, eventually } from './support.js';

let target: ConformanceTarget;
const bought: string[] = [];

beforeAll(async () => {
  target = await conformanceTarget();
});
afterAll(async () => {
  for (const sid of bought)
    await target.client
      .incomingPhoneNumbers(sid)
      .remove()
      .catch(() => undefined);
  await target.close();
});

const search = (areaCode: number, limit = 3) =>
  target.client.availablePhoneNumbers('US').local.list({ areaCode, limit });

/** Buys a number that is free at this moment, under a marker of its own. */
const buy = async (areaCode = 415) => {
  const [free] = await search(areaCode, 1);
  if (!free) throw new Error('there is nothing to buy');
  const friendlyName = `conformance:${randomUUID()}`;
  const number = await target.client.incomingPhoneNumbers.create({
    phoneNumber: free.phoneNumber,
    friendlyName,
  });
  bought.push(number.sid);
  return { number, friendlyName };
};

describe('searching', () => {
  it('finds numbers of an area code, as many as wanted', async () => {
    const found = await search(415, 3);
    expect(found).toHaveLength(3);
    for (const { phoneNumber, isoCountry, region } of found) {
      expect(phoneNumber).toMatch(/^\+1415\d{7}$/);
      expect([isoCountry, region]).toEqual(['US', 'CA']);
    }
  });

  it('finds numbers of other countries and other types', async () => {
    const { client } = target;
    const [london] = await client.availablePhoneNumbers('GB').local.list({ contains: '+4420*', limit: 1 });
    const [free] = await client.availablePhoneNumbers('US').tollFree.list({ limit: 1 });
    const [mobile] = await client.availablePhoneNumbers('GB').mobile.list({ limit: 1 });
    expect(london?.phoneNumber).toMatch(/^\+4420\d{8}$/);
    expect(free?.phoneNumber).toMatch(/^\+18\d{9}$/);
    expect(mobile?.phoneNumber).toMatch(/^\+447\d{9}$/);
  });

  it('says with its own error that a country has no such numbers', async () => {
    await expect(target.client.availablePhoneNumbers('US').mobile.list()).rejects.toMatchObject({
      status: 404,
      code: 20404,
    });
  });

  it('knows what a country costs', async () => {
    const country = await target.client.pricing.v1.phoneNumbers.countries('US').fetch();
    expect(country.priceUnit).toBe('USD');
    const local = country.phoneNumberPrices.find(({ numberType }) => numberType === 'local');
    expect(Number(local?.currentPrice)).toBeGreaterThan(0);
    const all = await target.client.pricing.v1.phoneNumbers.countries.list();
    expect(all.map(({ isoCountry }) => isoCountry)).toEqual(expect.arrayContaining(['US', 'GB', 'DE']));
  });
});

describe('buying', () => {
  it('gives the number to the account and takes it out of the search', async () => {
    const { number, friendlyName } = await buy();
    expect(number.sid).toMatch(/^PN[0-9a-f]{32}$/);
    expect(number).toMatchObject({ friendlyName, status: 'in-use' });
    const [listed] = await target.client.incomingPhoneNumbers.list({ friendlyName });
    expect(listed?.sid).toBe(number.sid);
    const free = await search(415, 50);
    expect(free.map(({ phoneNumber }) => phoneNumber)).not.toContain(number.phoneNumber);
  });

  it('of an owned number changes it and buys nothing', async () => {
    const { number } = await buy();
    const again = await target.client.incomingPhoneNumbers.create({
      phoneNumber: number.phoneNumber,
      friendlyName: 'bought again',
    });
    expect(again).toMatchObject({ sid: number.sid, friendlyName: 'bought again' });
    const owned = await target.client.incomingPhoneNumbers.list({ phoneNumber: number.phoneNumber });
    expect(owned).toHaveLength(1);
  });

  it('of a number that is not for sale is refused', async () => {
    await expect(
      target.client.incomingPhoneNumbers.create({ phoneNumber: '+14155550100' }),
    ).rejects.toMatchObject({ status: 400, code: 21422 });
    await expect(
      target.client.incomingPhoneNumbers.create({ phoneNumber: 'nonsense' }),
    ).rejects.toMatchObject({ status: 400, code: 21421 });
  });
});

describe('an owned number', () => {
  it('keeps the settings that it is given', async () => {
    const { number } = await buy();
    await target.client.incomingPhoneNumbers(number.sid).update({
      voiceUrl: 'https://example.com/voice',
      voiceMethod: 'GET',
    });
    const fetched = await target.client.incomingPhoneNumbers(number.sid).fetch();
    expect(fetched).toMatchObject({ voiceUrl: 'https://example.com/voice', voiceMethod: 'GET' });
    expect(fetched.dateCreated.getTime()).toBeGreaterThan(Date.now() - 3_600_000);
  });

  it('is gone when it was released, for good', async () => {
    const { number } = await buy();
    expect(await target.client.incomingPhoneNumbers(number.sid).remove()).toBe(true);
    const gone = { status: 404, code: 20404 };
    await expect(target.client.incomingPhoneNumbers(number.sid).fetch()).rejects.toMatchObject(gone);
    await expect(target.client.incomingPhoneNumbers(number.sid).remove()).rejects.toMatchObject(gone);
  });

  it('is listed once, over however many pages', async () => {
    await buy(212);
    await buy(212);
    await buy(212);
    const whole = await target.client.incomingPhoneNumbers.list();
    const paged = await target.client.incomingPhoneNumbers.list({ pageSize: 2 });
    expect(paged.map(({ sid }) => sid)).toEqual(whole.map(({ sid }) => sid));
    expect(whole.length).toBeGreaterThanOrEqual(3);
  });
});

describe('a stranger', () => {
  it('is told to authenticate', async () => {
    await expect(target.impostor.incomingPhoneNumbers.list()).rejects.toMatchObject({
      status: 401,
      code: 20003,
    });
  });
});

describe('a trunk', () => {
  it('carries calls of its numbers to a SIP address', async () => {
    const { client } = target;
    const { number } = await buy();
    const trunk = await client.trunking.v1.trunks.create({ friendlyName: `conformance:${randomUUID()}` });
    try {
      const url = await client.trunking.v1.trunks(trunk.sid).originationUrls.create({
        friendlyName: 'media server',
        sipUrl: 'sip:sip.example.com;transport=tcp',
        weight: 1,
        priority: 1,
        enabled: true,
      });
      expect(url.sipUrl).toBe('sip:sip.example.com;transport=tcp');
      await client.trunking.v1.trunks(trunk.sid).phoneNumbers.create({ phoneNumberSid: number.sid });
      expect((await client.incomingPhoneNumbers(number.sid).fetch()).trunkSid).toBe(trunk.sid);
      const carried = await client.trunking.v1.trunks(trunk.sid).phoneNumbers.list();
      expect(carried.map(({ phoneNumber }) => phoneNumber)).toEqual([number.phoneNumber]);
      const urls = await client.trunking.v1.trunks(trunk.sid).originationUrls.list();
      expect(urls.map(({ sid }) => sid)).toEqual([url.sid]);
      expect((await client.trunking.v1.trunks.list()).map(({ sid }) => sid)).toContain(trunk.sid);
      await client.trunking.v1.trunks(trunk.sid).phoneNumbers(number.sid).remove();
      expect((await client.incomingPhoneNumbers(number.sid).fetch()).trunkSid).toBeFalsy();
    } finally {
      await client.trunking.v1.trunks(trunk.sid).remove();
    }
    await expect(client.trunking.v1.trunks(trunk.sid).fetch()).rejects.toMatchObject({ status: 404 });
  });

  it('takes calls at a domain of its own, from those with a credential of its list', async () => {
    const { client } = target;
    const { sip } = client.api.v2010.account;
    const domainName = `conformance-${randomUUID()}.pstn.twilio.com`;
    const trunk = await client.trunking.v1.trunks.create({ friendlyName: 'conformance', domainName });
    const other = await client.trunking.v1.trunks.create({ friendlyName: 'conformance' });
    const list = await sip.credentialLists.create({ friendlyName: `conformance:${randomUUID()}` });
    const { credentials } = sip.credentialLists(list.sid);
    const attached = client.trunking.v1.trunks(trunk.sid).credentialsLists;
    try {
      expect(trunk.domainName).toBe(domainName);
      const stolen = client.trunking.v1.trunks(other.sid).update({ domainName });
      await expect(stolen).rejects.toMatchObject({ status: 400 });
      await attached.create({ credentialListSid: list.sid });
      expect((await attached.list()).map(({ sid }) => sid)).toEqual([list.sid]);
      expect((await client.trunking.v1.trunks(trunk.sid).fetch()).authTypeSet).toEqual(['CREDENTIAL_LIST']);
      await expect(credentials.create({ username: 'u', password: 'too weak' })).rejects.toMatchObject({
        status: 400,
      });
      const made = await credentials.create({ username: 'conformance1', password: 'Pa1-long-enough' });
      const [listed, ...rest] = await credentials.list();
      expect([listed?.sid, listed?.username, rest]).toEqual([made.sid, 'conformance1', []]);
      expect(JSON.stringify(made)).not.toContain('long-enough');
      // A change shows in the time of the last change, which is told to the second.
      const changed = await eventually(async () => {
        const now = await credentials(made.sid).update({ password: 'Pa2-long-enough' });
        return now.dateUpdated > made.dateUpdated ? now : undefined;
      });
      expect(changed.sid).toBe(made.sid);
      await credentials(made.sid).remove();
      expect(await credentials.list()).toEqual([]);
    } finally {
      await attached(list.sid).remove();
      await sip.credentialLists(list.sid).remove();
      for (const { sid } of [trunk, other]) await client.trunking.v1.trunks(sid).remove();
    }
    await expect(sip.credentialLists(list.sid).fetch()).rejects.toMatchObject({ status: 404 });
  });

  it('wants a SIP address', async () => {
    const trunk = await target.client.trunking.v1.trunks.create({});
    await expect(
      target.client.trunking.v1.trunks(trunk.sid).originationUrls.create({
        friendlyName: 'not SIP',
        sipUrl: 'https://example.com',
        weight: 1,
        priority: 1,
        enabled: true,
      }),
    ).rejects.toMatchObject({ status: 400 });
    await target.client.trunking.v1.trunks(trunk.sid).remove();
  });
});
