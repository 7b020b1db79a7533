import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const path = fileURLToPath(new URL('./workers.mjs', import.meta.url));
const { unitWorkers } = (await import(path)) as {
  // it has no types
  readonly unitWorkers: (args: readonly string[]) => readonly string[];
};

describe('npm run test:unit', () => {
  it('uses every core unless it is given a number of workers', () => {
    expect(unitWorkers(['libs/json'])).toEqual(['--maxWorkers=100%']);
    for (const args of [
      ['-w', '1'],
      ['-w=1'],
      ['-i'],
      ['--maxWorkers=1'],
      ['--maxWorkers', '1'],
      ['--runInBand'],
    ])
      expect(unitWorkers([...args, 'libs/json'])).toEqual([]);
  });
});
