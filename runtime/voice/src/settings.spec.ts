// The settings of the runtime and the schema from which the pages and manifests are written name the same variables.
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { Env } from '@parlance/conversation/voice-env';

it('reads variables of its schema alone', () => {
  const source = readFileSync(new URL('./settings.ts', import.meta.url), 'utf8');
  const read = [...source.matchAll(/environment\.([A-Z][A-Z_]+)|(?:required|integer)\('([A-Z_]+)'/g)].map(
    ([, direct, named]) => direct ?? named,
  );
  expect(read).toContain('MAX_CALLS');
  // The worker makes the folder for its jobs, and nobody sets it.
  const unknown = read.filter((name) => name !== 'GREETINGS_FOLDER' && !(`${name}` in Env.shape));
  expect(unknown).toEqual([]);
});
