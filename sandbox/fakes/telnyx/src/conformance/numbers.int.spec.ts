import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConformanceTarget, clientAt, conformanceTarget, eventually } from './support.js';

let target: ConformanceTarget;
const markers: string[] = [];

beforeAll(async () => {
  target = await conformanceTarget();
});
afterAll(async () => {
  for (const customer_reference of markers)
    for await (const { id } of target.client.phoneNumbers.list({ filter: { customer_reference } }))
      await target.client.phoneNumbers.delete(id);
  await target.close();
});

const search = async (filter: object = {}) => {
  const { data = [] } = await target.client.availablePhoneNumbers.list({
    filter: { country_code: 'US', limit: 3, phone_number_type: 'local', ...filter },
  });
  return data;
};
const freeNumber = async (filter: object = {}): Promise<string> => {
  const [free] = await search({ limit: 1, ...filter });
  if (!free?.phone_number) throw new Error('there is nothing to buy');
  return free.phone_number;
};

/** Orders a number that is free at this moment, under a marker of its own. */
const order = async () => {
  const marker = `conformance:${randomUUID()}`;
  markers.push(marker);
  const phoneNumber = await freeNumber();
  const { data } = await target.client.numberOrders.create({
    phone_numbers: [{ phone_number: phoneNumber }],
    customer_reference: marker,
  });
  return { id: data?.id ?? '', status: data?.status, phoneNumber, marker };
};
/** The number of an order when it is fulfilled. */
const bought = async () => {
  const { id, phoneNumber, marker } = await order();
  await eventually(async () => {
    const { data } = await target.client.numberOrders.retrieve(id);
    return data?.status === 'success' ? true : undefined;
  });
  const number = await eventually(async () => {
    const { data } = await target.client.phoneNumbers.list({ filter: { customer_reference: marker } });
    return data.find(({ status }) => status === 'active');
  });
  return { id: number.id, phoneNumber, marker, number };
};

describe('searching', () => {
  it('finds numbers of an area code, as many as wanted, with their price', async () => {
    const found = await search({ national_destination_code: '415' });
    expect(found).toHaveLength(3);
    for (const { phone_number, cost_information, region_information } of found) {
      expect(phone_number).toMatch(/^\+1415\d{7}$/);
      expect(Number(cost_information?.monthly_cost)).toBeGreaterThan(0);
      expect(cost_information?.currency).toBe('USD');
      expect(region_information).toContainEqual({ region_type: 'country_code', region_name: 'US' });
    }
  });

  it('finds numbers of other countries and types, and with given digits', async () => {
    expect(await freeNumber({ country_code: 'GB', national_destination_code: '20' })).toMatch(
      /^\+4420\d{8}$/,
    );
    expect(await freeNumber({ phone_number_type: 'toll_free' })).toMatch(/^\+18\d{9}$/);
    expect(await freeNumber({ phone_number: { ends_with: '7' } })).toMatch(/7$/);
  });
});

describe('an order', () => {
  it('is pending at first, then fulfilled, and the number carries its reference', async () => {
    const { id, status, phoneNumber, marker } = await order();
    expect(status).toBe('pending');
    const fulfilled = await eventually(async () => {
      const { data } = await target.client.numberOrders.retrieve(id);
      return data?.status === 'pending' ? undefined : data;
    });
    expect(fulfilled).toMatchObject({
      status: 'success',
      customer_reference: marker,
      phone_numbers_count: 1,
    });
    expect(fulfilled.phone_numbers).toMatchObject([{ phone_number: phoneNumber, status: 'success' }]);
    const { data } = await target.client.numberOrders.list({ filter: { customer_reference: marker } });
    expect(data.map((listed) => listed.id)).toEqual([id]);
    const owned = await target.client.phoneNumbers.list({ filter: { customer_reference: marker } });
    expect(owned.data).toMatchObject([{ phone_number: phoneNumber, customer_reference: marker }]);
  });

  it('takes the number away from everybody else at once', async () => {
    const { phoneNumber } = await order();
    await expect(
      target.client.numberOrders.create({ phone_numbers: [{ phone_number: phoneNumber }] }),
    ).rejects.toMatchObject({ status: 422 });
  });

  it('of a number that nobody offered is refused', async () => {
    const failure = target.client.numberOrders.create({ phone_numbers: [{ phone_number: '+14155550100' }] });
    await expect(failure).rejects.toMatchObject({
      status: 422,
      error: { errors: [expect.objectContaining({ code: '85000', title: expect.any(String) })] },
    });
  });
});

describe('an owned number', () => {
  it('keeps the reference that it is given', async () => {
    const { id, marker } = await bought();
    const changed = `${marker}:changed`;
    markers.push(changed);
    const { data } = await target.client.phoneNumbers.update(id, { customer_reference: changed });
    expect(data?.customer_reference).toBe(changed);
    expect((await target.client.phoneNumbers.retrieve(id)).data?.customer_reference).toBe(changed);
  });

  it('is gone when it was released', async () => {
    const { id } = await bought();
    expect((await target.client.phoneNumbers.delete(id)).data).toMatchObject({ id, status: 'deleted' });
    await expect(target.client.phoneNumbers.retrieve(id)).rejects.toMatchObject({
      status: 404,
      error: { errors: [expect.objectContaining({ code: '10005' })] },
    });
    await expect(target.client.phoneNumbers.delete(id)).rejects.toMatchObject({ status: 404 });
  });

  it('is listed once, over however many pages', async () => {
    for (let count = 0; count < 3; count += 1) await bought();
    const whole: string[] = [];
    for await (const { id } of target.client.phoneNumbers.list({ 'page[size]': 250 })) whole.push(id);
    const inPages: string[] = [];
    for await (const { id } of target.client.phoneNumbers.list({ 'page[size]': 2 })) inPages.push(id);
    expect(inPages).toEqual(whole);
    expect(whole.length).toBeGreaterThanOrEqual(3);
  });
});

describe('a stranger', () => {
  it('is told to authenticate', async () => {
    await expect(clientAt(target.url, 'KEY-of-nobody').phoneNumbers.list()).rejects.toMatchObject({
      status: 401,
      error: { errors: [expect.objectContaining({ code: '10009' })] },
    });
  });
});

describe('a connection', () => {
  it('carries calls of its numbers to a SIP server', async () => {
    const { client } = target;
    const { data: connection } = await client.fqdnConnections.create({
      connection_name: `conformance-${randomUUID().slice(0, 8)}`,
      transport_protocol: 'TCP',
    });
    const id = connection?.id ?? '';
    const number = await bought();
    try {
      const { data: fqdn } = await client.fqdns.create({
        connection_id: id,
        fqdn: 'sip.example.com',
        port: 5060,
        dns_record_type: 'a',
      });
      expect(fqdn).toMatchObject({ connection_id: id, fqdn: 'sip.example.com', port: 5060 });
      await client.phoneNumbers.update(number.id, { connection_id: id });
      const carried = await client.phoneNumbers.list({ filter: { connection_id: id } });
      expect(carried.data.map(({ phone_number }) => phone_number)).toEqual([number.phoneNumber]);
      expect((await client.fqdns.list({ filter: { connection_id: id } })).data).toHaveLength(1);
      expect((await client.fqdnConnections.retrieve(id)).data).toMatchObject({ transport_protocol: 'TCP' });
    } finally {
      await client.phoneNumbers.delete(number.id);
      await client.fqdnConnections.delete(id);
    }
    await expect(client.fqdnConnections.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });

  it('lets calls out with credentials, to the destinations that its outbound voice profile allows', async () => {
    const { client } = target;
    const name = `conformance-${randomUUID().slice(0, 8)}`;
    const { data: connection } = await client.fqdnConnections.create({ connection_name: name });
    const { data: profile } = await client.outboundVoiceProfiles.create({ name });
    const [id, profileId] = [connection?.id ?? '', profile?.id ?? ''];
    const { fqdnAuthentication } = client.fqdnConnections;
    try {
      expect(profile).toMatchObject({ name, whitelisted_destinations: ['US', 'CA'] });
      const found = await client.outboundVoiceProfiles.list({ filter: { name: { contains: name } } });
      expect(found.data.map((one) => one.id)).toEqual([profileId]);
      await client.fqdnConnections.update(id, { outbound: { outbound_voice_profile_id: profileId } });
      const { data: allowed } = await client.fqdnConnections.retrieve(id);
      expect(allowed?.outbound?.outbound_voice_profile_id).toBe(profileId);
      const by = { fqdn_outbound_authentication: 'credential-authentication' } as const;
      const wrong = fqdnAuthentication.patchAll(id, {
        ...by,
        user_name: 'not-a-name!',
        password: 'Pa1long-enough',
      });
      await expect(wrong).rejects.toMatchObject({ status: 422 });
      const credentials = {
        user_name: `u${randomUUID().replaceAll('-', '').slice(0, 20)}`,
        password: 'Pa1long-enough',
      };
      await fqdnAuthentication.patchAll(id, { ...by, ...credentials });
      const { data: now } = await fqdnAuthentication.list(id);
      expect(now).toMatchObject({ ...by, user_name: credentials.user_name });
    } finally {
      await client.fqdnConnections.delete(id);
      await client.outboundVoiceProfiles.delete(profileId);
    }
    await expect(client.outboundVoiceProfiles.retrieve(profileId)).rejects.toMatchObject({ status: 404 });
  });
});
