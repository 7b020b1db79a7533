import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { DurableMap } from './durable-map.js';

const directory = mkdtempSync(join(tmpdir(), 'parlance-map-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('a durable map', () => {
  it('is after a restart what it was before, whatever was torn', async () => {
    const path = join(directory, 'a', 'map.jsonl');
    const before = await DurableMap.open<{ n: number }>(path);
    await Promise.all(Array.from({ length: 50 }, (_, n) => before.set(`k${n}`, { n })));
    await before.set('k1', { n: 100 });
    await before.delete('k2');
    await before.close();
    appendFileSync(path, '["k3",{"n":9');
    const after = await DurableMap.open<{ n: number }>(path);
    expect(after.values()).toHaveLength(49);
    expect([after.get('k1'), after.get('k2'), after.get('k3')]).toEqual([{ n: 100 }, undefined, { n: 3 }]);
    expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(49);
    await after.close();
  });
});
