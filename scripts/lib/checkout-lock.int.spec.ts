// The lock that processes in one checkout share.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const module = fileURLToPath(new URL('checkout-lock.mjs', import.meta.url));

let checkout = '';
beforeEach(() => {
  checkout = realpathSync(mkdtempSync(join(tmpdir(), 'parlance-lock-test-')));
});
afterEach(() => rmSync(checkout, { recursive: true }));

/** A process that does this work with the lock; `done` and `log` are files of the checkout, and `say` writes to the log. */
const programOf = (work: string): readonly string[] => [
  '--input-type=module',
  '--eval',
  `import { appendFileSync, existsSync } from 'node:fs';
   import { spawnSync } from 'node:child_process';
   import { withCheckoutLock, sharingLock } from ${JSON.stringify(module)};
   const say = (text) => appendFileSync('log', text + ' ');
   withCheckoutLock('.', () => { ${work} });`,
];
const inCheckout = () => ({ cwd: checkout, encoding: 'utf8' as const });
const log = (): string => readFileSync(join(checkout, 'log'), 'utf8').trim();

describe('the lock of a checkout', () => {
  it('makes a second command wait, and say so, until the first one is done', async () => {
    const first = spawn(
      process.execPath,
      programOf(`say('first begins'); console.log('begun'); while (!existsSync('done')); say('first ends');`),
      inCheckout(),
    );
    await once(first.stdout, 'data');
    const second = spawn(process.execPath, programOf(`say('second');`), inCheckout());
    const [line] = await once(second.stdout, 'data');
    expect(String(line)).toContain(`(process ${first.pid}) ...`);
    writeFileSync(join(checkout, 'done'), '');
    await Promise.all([once(first, 'exit'), once(second, 'exit')]);
    expect(log()).toBe('first begins first ends second');
  });

  it('stays with an installer that outlives the process that started it', async () => {
    const installer = ['-c', 'echo begun; until [ -e done ]; do :; done; printf "installed " >>log'];
    const work = `spawnSync(...sharingLock('.', 'sh', ${JSON.stringify(installer)}), { stdio: 'inherit' });`;
    const first = spawn(process.execPath, programOf(work), inCheckout());
    await once(first.stdout, 'data');
    first.kill('SIGKILL');
    await once(first, 'exit');
    const second = spawn(process.execPath, programOf(`say('second');`), inCheckout());
    await once(second.stdout, 'data');
    writeFileSync(join(checkout, 'done'), '');
    await once(second, 'exit');
    expect(log()).toBe('installed second');
  });

  it('covers work that is done when its promise is settled', async () => {
    const work = `
      import { appendFileSync, existsSync } from 'node:fs';
      import { setTimeout } from 'node:timers/promises';
      import { withFolderLock } from ${JSON.stringify(module)};
      await withFolderLock('.', async () => {
        console.log('begun');
        while (!existsSync('done')) await setTimeout(5);
        appendFileSync('log', 'first ends ');
      });`;
    const first = spawn(process.execPath, ['--input-type=module', '--eval', work], inCheckout());
    await once(first.stdout, 'data');
    const second = spawn(process.execPath, programOf(`say('second');`), inCheckout());
    await once(second.stdout, 'data');
    writeFileSync(join(checkout, 'done'), '');
    await Promise.all([once(first, 'exit'), once(second, 'exit')]);
    expect(log()).toBe('first ends second');
  });

  it('is released by a process that was killed, and by one that exited early', () => {
    for (const end of [`process.kill(process.pid, 'SIGKILL')`, 'process.exit(3)'])
      spawnSync(process.execPath, programOf(`say('ends'); ${end};`), inCheckout());
    spawnSync(process.execPath, programOf(`withCheckoutLock('.', () => say('works'));`), inCheckout());
    expect(log()).toBe('ends ends works');
    const name = createHash('sha256').update(checkout).digest('hex').slice(0, 24);
    expect(existsSync(join(tmpdir(), `parlance-checkout-${name}.lock`))).toBe(false);
  });
});
