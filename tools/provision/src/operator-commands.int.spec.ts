// The commands of operators in the image: each service that stores something has its own, in the program that its container runs.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { environmentOf, programOf } from '@parlance/fixtures';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

const sourcesOf = (folder: string): readonly string[] =>
  readdirSync(join(root, folder, 'src'), { recursive: true })
    .map(String)
    .filter((name) => /\.ts$/.test(name) && !/spec\.ts$|^testing/.test(name))
    .map((name) => readFileSync(join(root, folder, 'src', name), 'utf8'));

const processes = [
  { name: 'gateway', folder: 'gateway' },
  ...readdirSync(join(root, 'services')).map((name) => ({ name, folder: `services/${name}` })),
].map(({ name, folder }) => ({ name, sources: sourcesOf(folder) }));

const namesOf = (pattern: RegExp): string[] =>
  processes.filter(({ sources }) => sources.some((source) => pattern.test(source))).map(({ name }) => name);

const helpOf = async (service: string, command: string): Promise<string> =>
  (await run(process.execPath, [programOf(service), command, '--help'], { env: environmentOf({}) })).stdout;

const page = (path: string): string => readFileSync(join(root, 'docs', path), 'utf8');

describe('a service', () => {
  it('that has a log of erasures applies it by a command of its program, which the manual lists', async () => {
    const services = namesOf(/\bopenErasureLog\(/);
    expect(services.toSorted()).toEqual(['calls-logs', 'gateway', 'outbound-dialer']);
    for (const service of services) expect(await helpOf(service, 'erasures')).toContain('erasures apply');
    expect(page('operations.md')).toContain(
      'for service in gateway calls-logs outbound-dialer; do\n  docker compose',
    );
  });

  it('that has quotas sets them by a command of its program, which the runbook lists', async () => {
    const services = namesOf(/^export const quotas\b/m);
    expect(services.toSorted()).toEqual(['calls-logs', 'knowledge', 'outbound-dialer']);
    for (const service of services) {
      expect(await helpOf(service, 'quotas')).toContain('quotas <organization id>');
      expect(page('runbooks/quota-reached.md')).toContain(service);
    }
  });
});
