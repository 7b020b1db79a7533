// The queries of the scalers, answered by Prometheus' own tool where it is installed.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { scalerOf } from '../objects/around.js';
import { workloads } from './table.js';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'parlance-scaling-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isInstalled = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);

const scalers = workloads.filter(({ scaling }) => scaling?.by === 'metric');

const queryOf = (name: string): string => {
  const scaling = scalers.find((workload) => workload.name === name)?.scaling;
  return scaling?.by === 'metric' ? scaling.query : '';
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
  it('adds up calls that are due and that are dialled, as one copy of several counts them', async () => {
    const ofCopy = (copy: string, due: number, dialing: number): readonly string[] => [
      `parlance_attempts_open{instance="${copy}",parlance_attempt_phase="due"} ${due}`,
      `parlance_attempts_open{instance="${copy}",parlance_attempt_phase="dialing"} ${dialing}`,
      `parlance_attempts_open{instance="${copy}",parlance_attempt_phase="connected"} 90`,
    ];
    const samples = [...ofCopy('a', 20, 20), ...ofCopy('b', 19, 20)];
    expect(await answerTo(queryOf('outbound-dialer'), samples, 40)).toContain('SUCCESS');
  });

  it('adds up sources that wait and that are read', async () => {
    const samples = ['due 3', 'running 4', 'hanging 2'].map((text) => {
      const [state, jobs] = text.split(' ');
      return `parlance_knowledge_jobs{instance="a",parlance_job_state="${state}"} ${jobs}`;
    });
    expect(await answerTo(queryOf('knowledge'), samples, 7)).toContain('SUCCESS');
  });
});

describe('a scaler', () => {
  it.each(scalers)('of $name takes no copy away when its process cannot be measured', (workload) => {
    const [object] = scalerOf(workload);
    expect(object).toMatchObject({ spec: { triggers: [{ metadata: { ignoreNullValues: 'false' } }] } });
    expect(object).not.toHaveProperty('spec.fallback');
  });
});
