// GET /ready names every engine, and says of one that fails that it is down without taking the gateway out of service.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { consumersOf, releasedServices } from '@parlance/contracts';
import { checks, checksOfServices, runDoctor } from '@parlance/doctor';
import { eventually } from '@parlance/fixtures';
import {
  administrator,
  durableName,
  eventFilter,
  eventStreamName,
  liveConsumerName,
} from '@parlance/messaging';
import { connectNats } from '@parlance/rpc';
import { DataFolder, doctorPlaces, firstLook, headline } from '@parlance/start';
import { type RunningPlatform, runPlatform } from './testing/running-platform.js';
import { type StandInFault, setStandInFault } from './testing/stand-in-faults.js';

interface Ready {
  readonly status: string;
  readonly checks: Readonly<Record<string, { readonly status: string }>>;
}

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await runPlatform();
}, 240_000);
afterAll(() => platform.remove());

const ready = async (): Promise<Ready> => {
  const response = await fetch(`${platform.api}/ready`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: Ready }).data; // the contract's Ready
};

const setFault = (fault: StandInFault | undefined): Promise<void> => setStandInFault(platform.dataDir, fault);

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

/** The output of the doctor in a terminal, with the exit status. */
const doctor = async (args: readonly string[]) => {
  let output = '';
  const into = {
    write: (text: string) => {
      output += text;
    },
  };
  const places = () => doctorPlaces(platform.dataDir);
  const all = [...checks, ...(await checksOfServices(new URL('../../../', import.meta.url)))];
  // One after the other: the loader of the tests does not take modules that two imports share at once.
  for (const check of all) await check.load?.();
  return { status: await runDoctor({ args, checks: all, places, output: into, errors: into }), output };
};

it('the doctor says that nothing is wrong, and what is wrong when something is, each thing once', async () => {
  // The first look compiles the drivers, which keeps this process busy for so long that engines seem not to answer.
  await doctor([]);
  expect(await doctor([])).toEqual({
    status: 0,
    output: expect.stringMatching(/^Nothing is wrong: \d+ checks in [\d.]+ s\.\n$/),
  });
  // Those of services look, too.
  const said = (await doctor(['--verbose'])).output;
  for (const name of [
    'call-documents',
    'checkpoints-of-calls-logs',
    'checkpoints-of-outbound-dialer',
    'webhooks',
    'trunks',
  ])
    expect(said).toContain(name);
  await setFault({ engine: 'liveKit', target: 'sipService', mode: '5xx-before' });
  const { status, output } = await doctor(['--json', '--only', 'livekit,nats']);
  const codes = JSON.parse(output).findings.map(({ code }: { code: string }) => code);
  expect([status, codes]).toEqual([1, ['LIVEKIT_WITHOUT_SIP']]);
  await setFault(undefined);
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

it('is not called ready by npm start while an engine refuses it, and the reason is printed', async () => {
  expect(headline(platform.url, '1.0', await firstLook(platform.url, true))[0]).toContain(
    'Parlance is ready at',
  );
  await setFault({ engine: 'eventStore', target: 'read', mode: '4xx' });
  await eventually(async () => expect((await ready()).status).toBe('degraded'));
  const said = headline(platform.url, '1.0', await firstLook(platform.url, true)).join('\n');
  expect(said).toContain('but not all of it works');
  expect(said).toMatch(/eventStore: the event store denies its user what is needed, such as reading \$all/);
  expect(platform.logged('"reason":"the event store denies its user')).not.toEqual([]);
  await setFault(undefined);
});

it('has the consumers of the contract on the broker, and no other', async () => {
  const folder = new DataFolder(platform.dataDir);
  const { natsToken } = folder.secrets();
  const url = `nats://${administrator}:${natsToken}@127.0.0.1:${folder.state().ports.nats}`;
  const nats = await connectNats({ url, name: 'test' });
  try {
    const manager = await nats.jetstreamManager();
    const declared = releasedServices
      .flatMap(consumersOf)
      .flatMap(({ durable, events }) => events.map((event) => durableName(durable, eventFilter(event))));
    await eventually(async () => {
      const found: string[] = [];
      for await (const { name } of manager.consumers.list(eventStreamName)) found.push(name);
      // Versions of one event have one consumer.
      expect(found.toSorted()).toEqual([...new Set([...declared, liveConsumerName])].toSorted());
    });
  } finally {
    await nats.close();
  }
});
