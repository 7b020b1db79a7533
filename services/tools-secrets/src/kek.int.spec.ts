// A rotation of the key-encryption key while the service answers, as docs/operations.md describes it.
import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkedKekId, Secret, writtenKeks } from '@parlance/config';
import { contract } from '@parlance/contracts';
import { Keyring, verifyAll } from '@parlance/crypto';
import { dumpTables, sealedPlaces, type TableDump } from '@parlance/fixtures';
import { runKekCommand } from '@parlance/ops/kek';
import { sealing } from './sealed-columns.js';
import { newOrganization } from './testing/organization.js';
import { World } from './testing/world.js';

const newKey = (): string => randomBytes(32).toString('base64');
const oneBitOff = (key: string): string => {
  const bytes = Buffer.from(key, 'base64');
  bytes.writeUInt8(bytes.readUInt8(7) ^ 1, 7);
  return bytes.toString('base64');
};
const keyringOf = (id: string, key: string): Keyring => new Keyring({ id, key: new Secret(key) });

let world: World;
/** The tables as they were before the first rotation. */
let dump: TableDump | undefined;
beforeAll(async () => {
  world = await World.start();
}, 120_000);
afterAll(async () => {
  await dump?.close();
  await world.stop();
});

/** Runs `kek` with the variables of the service. */
const kek = async (action: string, changes: Readonly<Record<string, string>> = {}) => {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const status = await runKekCommand(sealing, {
    args: ['kek', action],
    variables: { ...world.environment, ...changes },
    input: new PassThrough(),
    ...{ output, errors },
  });
  output.end();
  errors.end();
  return { status, said: await textOf(output), errors: await textOf(errors) };
};

/** A tool that sends a literal credential and a secret. */
const newTool = async () => {
  const org = newOrganization(world);
  const secret = await org.secret('TOKEN', 'the-value-of-a-secret');
  const headers = { 'x-literal': 'a-literal-value', 'x-secret': '{{secrets.TOKEN}}' };
  const tool = await org.create('look_up', '', { request: { url: world.system.url('/kek'), headers } });
  return { org, tool, secret };
};

/** Reads and writes sealed values until it is stopped. @returns the number of requests and what failed */
const load = (made: Awaited<ReturnType<typeof newTool>>, requestsAtOnce: number) => {
  const failed: unknown[] = [];
  let [isOver, requests] = [false, 0];
  const client = async (): Promise<void> => {
    while (!isOver) {
      requests += 1;
      const value = `value-${requests}`;
      const rotate = contract.secretsRotate;
      await Promise.all([
        made.org.test(made.tool.id),
        world.ask(rotate, { params: { secretId: made.secret.id }, body: { value } }, made.org.caller),
      ]).catch((error: unknown) => failed.push(error));
    }
  };
  const clients = Array.from({ length: requestsAtOnce }, client);
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
      return { requests, failed };
    },
  };
};

/** Restores a dump from before the rotation, and brings it up to date with the key before. */
const restoredBackup = async (
  made: Awaited<ReturnType<typeof newTool>>,
  { restore }: TableDump,
  [oldId, old]: readonly [string, string],
): Promise<void> => {
  await restore();
  const { KEK = '', KEK_ID = '' } = world.environment;
  const withOld = { KEK_OTHERS: writtenKeks([[oldId, old]]) };
  const stored = async () =>
    (await world.db.query('select sealed from secret_versions order by secret_id, version')).rows;
  const restored = await stored();
  await expect(world.roll({})).rejects.toThrow(
    `KEK is not the key that the copies before had: give this copy theirs, ${oldId}`,
  );
  const early = await kek('rewrap', withOld);
  expect([early.status, early.errors]).toEqual([1, expect.stringContaining(`seals with ${oldId} and not`)]);
  await world.roll(withOld);
  const missing = await kek('rewrap', { KEK_OTHERS: '' });
  expect([missing.status, missing.errors]).toEqual([
    1,
    expect.stringContaining(`values that take ${oldId}: add the key to KEK_OTHERS. Nothing was changed.`),
  ]);
  expect(await stored()).toEqual(restored);

  expect((await kek('rewrap')).status).toBe(0);
  await world.roll({ KEK_OTHERS: '' });
  const { unopened } = await verifyAll({
    db: world.db,
    keyring: keyringOf(KEK_ID, KEK),
    columns: sealing.sealedColumns,
  });
  expect(unopened).toEqual([]);
  await made.org.test(made.tool.id);
  const { headers } = world.system.sentTo('/kek').at(-1) ?? {};
  expect(headers).toMatchObject({ 'x-literal': 'a-literal-value', 'x-secret': 'the-value-of-a-secret' });
};

describe('a rotation of the KEK', () => {
  it('fails no request, leaves nothing that needs the key before, and brings an older backup up to date', async () => {
    const made = await newTool();
    const [oldId, old] = [world.environment.KEK_ID ?? '', world.environment.KEK ?? ''];
    const next = newKey();
    const nextId = checkedKekId('next', next);
    dump = await dumpTables(world.db, world.adminUrl);
    const traffic = load(made, 2);
    await world.roll({ KEK_OTHERS: writtenKeks([[nextId, next]]) });
    await world.roll({ KEK_ID: nextId, KEK: next, KEK_OTHERS: writtenKeks([[oldId, old]]) });
    expect((await kek('status')).said).toMatch(`${oldId}: `);
    const rewrapped = await kek('rewrap');
    expect([rewrapped.status, rewrapped.errors]).toEqual([0, expect.not.stringContaining('Error')]);
    const status = await kek('status');
    expect(status.said).toContain(`${oldId}: nothing stored by tools-secrets needs it`);
    await world.roll({ KEK_OTHERS: '' });
    const { requests, failed } = await traffic.stop();
    expect(failed).toEqual([]);
    expect(requests).toBeGreaterThan(0);

    expect((await kek('verify')).status).toBe(0);
    const columns = sealing.sealedColumns;
    const current = keyringOf(nextId, next);
    const before = keyringOf(oldId, old);
    expect(await verifyAll({ db: world.db, keyring: current, columns })).toMatchObject({ unopened: [] });
    await made.org.test(made.tool.id);
    expect(world.system.sentTo('/kek').at(-1)?.headers['x-literal']).toBe('a-literal-value');

    const { values, unopened } = await verifyAll({ db: dump.db, keyring: before, columns });
    expect(values).toBeGreaterThan(1);
    expect(unopened).toEqual([]);
    const withCurrent = await verifyAll({ db: dump.db, keyring: current, columns });
    expect(withCurrent.unopened.map(({ kekId }) => kekId)).toEqual(Array(values).fill(oldId));

    await restoredBackup(made, dump, [oldId, old]);
  }, 240_000);

  it('is refused with a key that is wrong by one bit, whichever key it is, and changes nothing', async () => {
    const { KEK = '', KEK_ID = '' } = world.environment;
    const places = () => sealedPlaces(world.db, sealing.sealedColumns, keyringOf(KEK_ID, KEK));
    const before = await places();
    const wrong = await kek('rewrap', { KEK: oneBitOff(KEK) });
    expect([wrong.status, wrong.errors]).toEqual([
      1,
      expect.stringContaining('does not fit the check value'),
    ]);
    await expect(world.roll({ KEK: oneBitOff(KEK) })).rejects.toThrow('even if a single character');

    // A name without a check value: the fingerprint that replicas leave tells.
    const plain = newKey();
    await world.roll({ KEK_OTHERS: writtenKeks([['plain', plain]]) });
    const others = writtenKeks([['plain', oneBitOff(plain)]]);
    const refusal = /KEK plain is not the key that has sealed under this name, even if a single character/;
    await expect(world.roll({ KEK_OTHERS: others })).rejects.toThrow(refusal);
    const refused = await kek('rewrap', { KEK_OTHERS: others });
    expect([refused.status, refused.errors]).toEqual([1, expect.stringMatching(refusal)]);
    await world.roll({ KEK_OTHERS: '' });
    expect(await places()).toEqual(before);
  }, 240_000);

  it('is refused while replicas still seal with the key before', async () => {
    const { KEK = '', KEK_ID = '' } = world.environment;
    const early = { KEK_ID: 'early', KEK: newKey(), KEK_OTHERS: writtenKeks([[KEK_ID, KEK]]) };
    const { status, errors } = await kek('rewrap', early);
    expect([status, errors]).toEqual([
      1,
      expect.stringContaining(`seals with ${KEK_ID} and not with the KEK given here`),
    ]);
  });
});

it('lists every column where the service seals values, and opens all of them', async () => {
  await newTool();
  const { KEK = '', KEK_ID = '' } = world.environment;
  const found = await sealedPlaces(world.db, sealing.sealedColumns, keyringOf(KEK_ID, KEK));
  expect(found).toEqual({
    sealed: ['secret_versions.sealed', 'tools.document'],
    unlisted: [],
    unopened: [],
  });
});
