import { expect, it } from '@jest/globals';
import { KnownIds } from './known-ids.js';

const target = { name: 'parlance', host: undefined };

it('looks for an id once, also where two ask for it at the same moment', async () => {
  const known = new KnownIds();
  let searches = 0;
  const find = async (): Promise<string> => {
    searches += 1;
    return `id-${searches}`;
  };
  expect(await Promise.all([known.of(target, find), known.of(target, find)])).toEqual(['id-1', 'id-1']);
  known.forget(target);
  expect(await known.of(target, find)).toBe('id-2');
});

it('looks again after a search that failed', async () => {
  const known = new KnownIds();
  await expect(known.of(target, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await known.of(target, async () => 'id-1')).toBe('id-1');
});

it('keeps the id of a new search where the search before it fails late', async () => {
  const known = new KnownIds();
  let fail = (_: Error): void => undefined;
  const late = known.of(
    target,
    () =>
      new Promise((_, reject) => {
        fail = reject;
      }),
  );
  known.forget(target);
  await known.of(target, async () => 'id-1');
  fail(new Error('away'));
  await expect(late).rejects.toThrow('away');
  expect(await known.of(target, async () => 'id-2')).toBe('id-1');
});
