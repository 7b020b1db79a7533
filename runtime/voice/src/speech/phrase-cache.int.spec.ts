import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PhraseCache } from './phrase-cache.js';

const audio = { samples: Int16Array.of(1, -2, 32_767), rate: 24_000 };
const bytesOfFile = 12 + 6;

describe('the cache of phrases', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'phrases-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const open = (maxBytes = 1_000_000) => new PhraseCache({ folder, maxBytes });
  const files = (): string[] => readdirSync(folder);

  it('finds a phrase by everything that its audio depends on, in another process too', async () => {
    await open().keep(['alloy', 'Hello.'], audio, true);
    expect(await open().find(['alloy', 'Hello.'], true)).toEqual(audio);
    expect(await open().find(['onyx', 'Hello.'], true)).toBeUndefined();
  });

  it('keeps a phrase with a value of the call in memory alone', async () => {
    const cache = open();
    await cache.keep(['alloy', 'Hello, Ada.'], audio, false);
    expect(await cache.find(['alloy', 'Hello, Ada.'], false)).toEqual(audio);
    expect(files()).toEqual([]);
    expect(await open().find(['alloy', 'Hello, Ada.'], true)).toBeUndefined();
  });

  it('takes a damaged file for a miss', async () => {
    await open().keep(['Hello.'], audio, true);
    const [name = ''] = files();
    writeFileSync(join(folder, name), 'PSP1 cut off');
    expect(await open().find(['Hello.'], true)).toBeUndefined();
  });

  it('removes the phrase that was not used for longest when the folder is full', async () => {
    const cache = open(2 * bytesOfFile);
    await cache.keep(['first'], audio, true);
    const [first = ''] = files();
    await cache.keep(['second'], audio, true);
    const second = files().find((name) => name !== first) ?? '';
    utimesSync(join(folder, first), 1_000, 1_000);
    utimesSync(join(folder, second), 2_000, 2_000);
    // It is used again, by another process.
    expect(await open(2 * bytesOfFile).find(['first'], true)).toEqual(audio);
    expect(statSync(join(folder, first)).mtimeMs).toBeGreaterThan(2_000_000);
    await cache.keep(['third'], audio, true);
    expect(files()).not.toContain(second);
  });

  it('removes what a process that was killed has left', async () => {
    const abandoned = join(folder, 'half-written');
    writeFileSync(abandoned, 'half');
    utimesSync(abandoned, 1_000, 1_000);
    await open().keep(['first'], audio, true);
    expect(files()).toHaveLength(1);
  });

  it('speaks without a folder', async () => {
    const cache = new PhraseCache({ folder: undefined, maxBytes: 1 });
    await cache.keep(['Hello.'], audio, true);
    expect(await cache.find(['Hello.'], true)).toEqual(audio);
  });
});
