// The one queue of all writes. The tests look at writes that share a commit, at a failed write, and at writes at the
// end.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandError } from './errors.js';
import { keySpace, Store } from './store.js';

let dataDir: string;
let store: Store;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parlance-mongodb-'));
  store = new Store(dataDir);
});
afterEach(async () => {
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});

const key = (n: number): Buffer => keySpace(1, Buffer.from([n]));
const put = (n: number): Promise<void> =>
  store.write(() => store.documents.putSync(key(n), Buffer.from([n])));
const stored = (): number[] => [...store.documents.getKeys()].map((found) => found[4] ?? -1);

describe('writes', () => {
  it('that come one after the other and together are all there, and are seen once they are answered', async () => {
    for (let n = 0; n < 20; n++) {
      await put(n);
      expect(stored()).toContain(n);
    }
    await Promise.all(Array.from({ length: 20 }, (_, i) => put(20 + i)));
    expect(stored()).toHaveLength(40);
  });

  it('that start from the answer of another are not forgotten', async () => {
    await put(1).then(() => put(2).then(() => put(3)));
    expect(stored()).toEqual([1, 2, 3]);
  });

  it('that a command error refuses do not fail the others of the same commit', async () => {
    const refused = store.write(() => {
      throw new CommandError(11000, 'taken');
    });
    const outcomes = await Promise.allSettled([put(1), refused, put(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(stored()).toEqual([1, 2]);
  });

  it('that break undo their whole commit, on disk and in memory, and the next one works', async () => {
    const broken = store.write(() => {
      store.findOrCreate('d.broken');
      throw new TypeError('a defect');
    });
    const outcomes = await Promise.allSettled([put(1), broken]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(stored()).toEqual([]);
    expect(store.find('d.broken')).toBeUndefined();
    await put(2);
    expect(stored()).toEqual([2]);
  });
});

describe('a version', () => {
  it('differs while a commit is under way and after it, so that what was read before is read again', async () => {
    const before = store.version;
    expect(store.version).toBe(before);
    const written = put(1);
    // Equal to nothing, itself included.
    expect(store.version).toBeNaN();
    await written;
    expect(store.version).not.toBe(before);
  });
});

describe('closing', () => {
  it('during a commit keeps what was queued, refuses what comes later, and can be asked for twice', async () => {
    const queued = [put(1), put(2)];
    const closed = store.close();
    await expect(put(3)).rejects.toMatchObject({ code: 91 });
    await Promise.all(queued);
    await closed;
    await store.close();
    store = new Store(dataDir);
    expect(stored()).toEqual([1, 2]);
  });
});
