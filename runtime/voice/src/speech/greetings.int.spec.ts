import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Greetings } from './greetings.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'greetings-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('finds a greeting by everything that its audio depends on', async () => {
  const greetings = new Greetings(folder);
  const audio = { samples: Int16Array.of(1, -2, 32_767), rate: 24_000 };
  await greetings.keep(['Hello.', 'alloy'], audio);
  expect(await new Greetings(folder).find(['Hello.', 'alloy'])).toEqual(audio);
  expect(await greetings.find(['Hello.', 'onyx'])).toBeUndefined();
});
