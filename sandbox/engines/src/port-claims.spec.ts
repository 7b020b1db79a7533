// No other process gets a port that a process has chosen, while that process lives. This holds even before it listens
// there.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { claimPort, claimsFolder, isClaimed } from './port-claims.js';
import { freePort } from './ports.js';

const built = fileURLToPath(new URL('../dist/port-claims.js', import.meta.url));
const run = promisify(execFile);
const claimsElsewhere = `import { claimPort } from ${JSON.stringify(built)};`;
/** Below the ports that are given away otherwise, so that no other test meets it. */
const port = 9_000 + (process.pid % 900);
const claim = join(claimsFolder, String(port));
const turn = `${claim}.turn`;

const crashes: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const crash of crashes.splice(0)) await crash();
  rmSync(claim, { force: true });
  rmSync(turn, { force: true });
});

/** The words of a short program in a process of its own. */
const told = async (program: string): Promise<string> => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program]);
  return stdout.trim();
};

/** Claims the port, and lives on until it is killed. */
const startHolder = async () => {
  const other = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `${claimsElsewhere} console.log(claimPort(${port})); setInterval(() => undefined, 1e6);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [said] = await once(other.stdout, 'data');
  expect(String(said).trim()).toBe('true');
  // As a crash: the process gives nothing back.
  const crash = async (): Promise<void> => {
    if (other.exitCode !== null || other.signalCode !== null) return;
    const ended = once(other, 'exit');
    other.kill('SIGKILL');
    await ended;
  };
  crashes.push(crash);
  return { pid: other.pid, crash };
};

describe('a claimed port', () => {
  it('is refused to other processes, and free for them when its process has ended', async () => {
    const holder = await startHolder();
    expect([claimPort(port), isClaimed(port)]).toEqual([false, false]);
    await holder.crash();
    expect([claimPort(port), isClaimed(port)]).toEqual([true, true]);
    expect(await told(`${claimsElsewhere} console.log(claimPort(${port}));`)).toBe('false');
  });

  it('is not given to a process that prefers it, also where nothing listens there', async () => {
    const holder = await startHolder();
    expect(await freePort(port)).not.toBe(port);
    await holder.crash();
    expect(await freePort(port)).toBe(port);
    expect(await told(`${claimsElsewhere} console.log(claimPort(${port}));`)).toBe('false');
  });

  it('is taken over by one process at a time, each of which judges it in its own turn', async () => {
    const holder = await startHolder();
    await holder.crash();
    // Another process is in its turn, and has judged the claim as this one does.
    writeFileSync(turn, String(process.pid));
    expect(claimPort(port)).toBe(false);
    rmSync(turn);
    expect(claimPort(port)).toBe(true);
  });

  it('is taken over also after a process was killed in its turn', async () => {
    const holder = await startHolder();
    await holder.crash();
    writeFileSync(turn, String(holder.pid));
    expect([claimPort(port), claimPort(port)]).toEqual([false, true]);
  });

  it('needs no name of the user: a container may run under an id that has none', async () => {
    mkdirSync(claimsFolder, { recursive: true });
    const nameless = `import os from 'node:os';
      import { syncBuiltinESMExports } from 'node:module';
      os.userInfo = () => { throw new Error('no entry for this user'); };
      syncBuiltinESMExports();
      const { claimPort } = await import(${JSON.stringify(built)});
      console.log(claimPort(${port}));`;
    expect(await told(nameless)).toBe('true');
  });
});
