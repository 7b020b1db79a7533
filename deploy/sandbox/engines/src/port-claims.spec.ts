// A port that a process has chosen is given to no other process while it lives, even before the first one listens there.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { claimPort } from './port-claims.js';

const built = fileURLToPath(new URL('../dist/port-claims.js', import.meta.url));
const run = promisify(execFile);
const claimsElsewhere = `import { claimPort } from ${JSON.stringify(built)};`;
/** Below the ports that are given away otherwise, so that no other test meets it. */
const port = 9_000 + (process.pid % 900);

describe('a claimed port', () => {
  it('is refused to other processes, and free for them when its process has ended', async () => {
    const other = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `${claimsElsewhere} console.log(claimPort(${port})); setInterval(() => undefined, 1e6);`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [told] = await once(other.stdout, 'data');
    expect(String(told).trim()).toBe('true');
    expect(claimPort(port)).toBe(false);
    const ended = once(other, 'exit');
    // As a crash: the process gives nothing back.
    other.kill('SIGKILL');
    await ended;
    expect(claimPort(port)).toBe(true);
    const { stdout } = await run(process.execPath, [
      '--input-type=module',
      '-e',
      `${claimsElsewhere} console.log(claimPort(${port}));`,
    ]);
    expect(stdout.trim()).toBe('false');
  });
});
