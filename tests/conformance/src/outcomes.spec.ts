import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { judge, readOutcomes, type TestOutcome } from './outcomes.js';

const outcome = (name: string, result: TestOutcome['outcome']): TestOutcome => ({
  name,
  outcome: result,
  reason: '',
});
const limit = { test: 'a listing is quick', why: 'It is slow.' };

it('an engine conforms with its known limits, and not with one failure more', () => {
  const tests = [outcome('a listing is quick', 'failed'), outcome('a put is kept', 'passed')];
  expect(judge(tests, [limit])).toMatchObject({ conforms: true, passed: 1, failed: [], limits: [limit] });
  const more = judge([...tests, outcome('a get is answered', 'failed')], [limit]);
  expect(more).toMatchObject({ conforms: false, failed: [{ name: 'a get is answered' }] });
  expect(judge(tests)).toMatchObject({ conforms: false, limits: [] });
});

it('a limit that is outgrown is told', () => {
  expect(judge([outcome('a listing is quick', 'passed')], [limit])).toMatchObject({
    conforms: true,
    limits: [],
    outgrown: [limit],
  });
});

it('an engine of which no test passed does not conform', () => {
  expect(judge([]).conforms).toBe(false);
  expect(judge([outcome('a put is kept', 'skipped')])).toMatchObject({ conforms: false, skipped: 1 });
});

it('a file that fails before its tests is a failure, and a file that jest never wrote holds none', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-outcomes-'));
  const file = join(directory, 'outcomes.json');
  expect(await readOutcomes(file)).toEqual([]);
  const passing = { fullName: 'a put is kept', status: 'passed', failureMessages: [] };
  const result = {
    testResults: [
      { name: 'one.ts', status: 'passed', message: '', assertionResults: [passing] },
      { name: 'two.ts', status: 'failed', message: 'no server', assertionResults: [] },
    ],
  };
  writeFileSync(file, JSON.stringify(result));
  expect(await readOutcomes(file)).toEqual([
    { name: 'a put is kept', outcome: 'passed', reason: '' },
    { name: 'two.ts', outcome: 'failed', reason: 'no server' },
  ]);
  rmSync(directory, { recursive: true });
});
