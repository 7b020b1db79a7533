import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

let prune: (folder: string, now: Date) => void;
beforeAll(async () => {
  const file: string = fileURLToPath(new URL('./prune.mjs', import.meta.url));
  ({ prune } = (await import(file)) as { prune: typeof prune }); // plain JavaScript
});

const folder = mkdtempSync(join(tmpdir(), 'parlance-prune-'));
afterAll(() => rmSync(folder, { recursive: true }));

const dayMs = 86_400_000;
const now = new Date();
const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs);
const add = (name: string, written: Date, read = written): void => {
  writeFileSync(join(folder, name), 'x');
  utimesSync(join(folder, name), read, written);
};
const files = (): readonly string[] => readdirSync(folder).filter((name) => !name.startsWith('.'));

describe('the cache of compiled sources', () => {
  it('loses what was neither written nor read for a month, once a day', () => {
    add('old', daysAgo(31));
    add('old-and-read', daysAgo(31), daysAgo(29));
    add('new', daysAgo(1));
    prune(folder, now);
    expect(files()).toEqual(['new', 'old-and-read']);

    add('old', daysAgo(31));
    prune(folder, new Date(now.getTime() + dayMs / 2));
    expect(files()).toContain('old');
    prune(folder, new Date(now.getTime() + dayMs));
    expect(files()).not.toContain('old');
  });
});
