import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** As `npm run dev`, and what it answers before it installs anything. */
const dev = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/dev.mjs'), ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

describe('npm run dev', () => {
  it('refuses a service that does not exist, and names those that do', () => {
    expect(dev('widgets', 'nonsense')).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^There is no service "nonsense"\. Name one of: gateway, agents-config, [a-z, -]+\.\n$/,
      ),
    });
  });

  it('refuses a port that is none', () => {
    expect(dev('--port', '70000')).toEqual({
      status: 1,
      stdout: '',
      stderr: '--port takes a number from 1 to 65535, not "70000".\n',
    });
  });

  it('lists the services in its help', () => {
    expect(dev('--help').stdout).toMatch(/^ {2}Services: +gateway, agents-config, .*widgets$/m);
  });
});
