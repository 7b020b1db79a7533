// The queries of the scalers, answered by Prometheus' own tool where it is installed.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { loadRegistry } from '@parlance/registry';
import { currentSubject } from './index.js';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'parlance-scaling-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isInstalled = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);

const queryOf = (name: string): string => {
  const scaling = loadRegistry().processes.find((row) => row.name === name)?.scaling;
  return scaling?.metric === 'prometheus' ? scaling.query : '';
};

const answerTo = async (query: string, samples: readonly string[], value: number | undefined) => {
  const file = join(folder, 'query.test.yml');
  const exp_samples = value === undefined ? [] : [{ labels: '{}', value }];
  const input_series = samples.map((sample) => {
    const [series, values] = sample.split(' ');
    return { series, values };
  });
  const promql_expr_test = [{ expr: query, eval_time: '0m', exp_samples }];
  writeFileSync(file, JSON.stringify({ tests: [{ interval: '1m', input_series, promql_expr_test }] }));
  const { stdout } = await run('promtool', ['test', 'rules', file]);
  return stdout;
};

(isInstalled ? describe : describe.skip)('the query of a scaler', () => {
  it('adds up calls that are due and that are dialled, as one replica of several counts them', async () => {
    const ofReplica = (replica: string, due: number, dialing: number): readonly string[] => [
      `parlance_attempts_open{instance="${replica}",parlance_attempt_phase="due"} ${due}`,
      `parlance_attempts_open{instance="${replica}",parlance_attempt_phase="dialing"} ${dialing}`,
      `parlance_attempts_open{instance="${replica}",parlance_attempt_phase="connected"} 90`,
    ];
    const samples = [...ofReplica('a', 20, 20), ...ofReplica('b', 19, 20)];
    expect(await answerTo(queryOf('outbound-dialer'), samples, 40)).toContain('SUCCESS');
  });

  it('adds up sources that are queued and that are read', async () => {
    const samples = ['due 3', 'running 4', 'hanging 2'].map((text) => {
      const [state, jobs] = text.split(' ');
      return `parlance_knowledge_jobs{instance="a",parlance_job_state="${state}"} ${jobs}`;
    });
    expect(await answerTo(queryOf('knowledge'), samples, 7)).toContain('SUCCESS');
  });
});

describe('a ScaledObject', () => {
  const scalers = (currentSubject().renderings.production ?? []).filter(
    ({ kind }) => kind === 'ScaledObject',
  );

  it('removes no replica of a process that cannot be measured', () => {
    expect(scalers).not.toHaveLength(0);
    for (const object of scalers) {
      expect(object).toMatchObject({ spec: { triggers: [{ metadata: { ignoreNullValues: 'false' } }] } });
      expect(object).not.toHaveProperty('spec.fallback');
    }
  });
});
