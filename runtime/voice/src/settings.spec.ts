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
  // The worker sets these for its jobs, and nobody else does.
  const ofWorker = ['JOURNAL_FOLDER', 'JOURNAL_KEY'];
  const unknown = read.filter((name) => !ofWorker.includes(`${name}`) && !(`${name}` in Env.shape));
  expect(unknown).toEqual([]);
});
