// Prometheus' own tool judges the rules, where it is installed.
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../deploy/observability/prometheus');
const isInstalled = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);

(isInstalled ? describe : describe.skip)('promtool', () => {
  it.each([
    ['check', 'rules', 'alerts.yml'],
    ['check', 'config', 'prometheus.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ])('%s %s %s finds no fault', async (...args) => {
    const { stdout, stderr } = await run('promtool', args, { cwd: folder });
    expect(`${stdout}${stderr}`).toMatch(/SUCCESS/);
  });
});
