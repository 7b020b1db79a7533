// GET /ready names every engine, and says of one that fails that it is down without taking the gateway out of service.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@parlance/testing';
import { DataFolder } from './data-folder.js';
import { type RunningPlatform, runPlatform } from './testing/running-platform.js';

interface Ready {
  readonly status: string;
  readonly checks: Readonly<Record<string, { readonly status: string }>>;
}

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await runPlatform();
}, 240_000);
afterAll(() => platform.remove(), 30_000);

const ready = async (): Promise<Ready> => {
  const response = await fetch(`${platform.api}/ready`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: Ready }).data; // the contract's Ready
};

const setFault = async (body: object | undefined): Promise<void> => {
  const folder = new DataFolder(platform.dataDir);
  const response = await fetch(`http://127.0.0.1:${folder.state().ports['fault-control']}/faults`, {
    method: body === undefined ? 'DELETE' : 'POST',
    headers: {
      authorization: `Bearer ${folder.secrets().faultControlToken}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
};

const names = [
  'eventStore',
  'readModel',
  'queue',
  'objectStorage',
  'mediaServer',
  'telephony:TWILIO',
  'telephony:TELNYX',
];

it('names every engine, each of them up', async () => {
  await eventually(async () => {
    const { status, checks } = await ready();
    expect([status, ...names.map((name) => `${name} ${checks[name]?.status}`)]).toEqual([
      'ready',
      ...names.map((name) => `${name} up`),
    ]);
  });
});

it.each([
  ['objectStorage', { engine: 's3', target: 'head', mode: 'refuse' }],
  ['mediaServer', { engine: 'liveKit', target: 'rooms', mode: '5xx-before' }],
  ['eventStore', { engine: 'eventStore', target: 'read', mode: 'refuse' }],
  ['readModel', { engine: 'mongo', target: 'command', mode: 'refuse' }],
])('says that %s is down while it is, and up again afterwards', async (name, fault) => {
  await setFault(fault);
  await eventually(async () => {
    const { status, checks } = await ready();
    expect([status, checks[name]?.status]).toEqual(['degraded', 'down']);
  });
  await setFault(undefined);
  await eventually(async () => {
    const { status, checks } = await ready();
    expect([status, checks[name]?.status]).toEqual(['ready', 'up']);
  });
});
