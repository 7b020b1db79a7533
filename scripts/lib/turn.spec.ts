// Turns of processes that work in one checkout.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const turn = fileURLToPath(new URL('turn.mjs', import.meta.url));

let checkout = '';
beforeEach(() => {
  checkout = realpathSync(mkdtempSync(join(tmpdir(), 'parlance-checkout-')));
});
afterEach(() => rmSync(checkout, { recursive: true }));

/** A process that does this work in its turn; `done` and `log` are files of the checkout, and `say` writes to the log. */
const programOf = (work: string): readonly string[] => [
  '--input-type=module',
  '--eval',
  `import { appendFileSync, existsSync } from 'node:fs';
   import { spawnSync } from 'node:child_process';
   import { inTurn, sharingTurn } from ${JSON.stringify(turn)};
   const say = (text) => appendFileSync('log', text + ' ');
   inTurn('.', () => { ${work} });`,
];
const inCheckout = () => ({ cwd: checkout, encoding: 'utf8' as const });
const log = (): string => readFileSync(join(checkout, 'log'), 'utf8').trim();

describe('the turn in a checkout', () => {
  it('is waited for, with a line that says so, until the work of the other process is done', async () => {
    const first = spawn(
      process.execPath,
      programOf(`say('first begins'); console.log('begun'); while (!existsSync('done')); say('first ends');`),
      inCheckout(),
    );
    await once(first.stdout, 'data');
    const second = spawn(process.execPath, programOf(`say('second');`), inCheckout());
    const [line] = await once(second.stdout, 'data');
    expect(String(line)).toContain(`(process ${first.pid}): waiting for it`);
    writeFileSync(join(checkout, 'done'), '');
    await Promise.all([once(first, 'exit'), once(second, 'exit')]);
    expect(log()).toBe('first begins first ends second');
  });

  it('stays with an installer that lives on when the process that began it is killed', async () => {
    const installer = ['-c', 'echo begun; until [ -e done ]; do :; done; printf "installed " >>log'];
    const work = `spawnSync(...sharingTurn('.', 'sh', ${JSON.stringify(installer)}), { stdio: 'inherit' });`;
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

  it('passes on from a process that was killed, and from one that ended itself in the middle', () => {
    for (const end of [`process.kill(process.pid, 'SIGKILL')`, 'process.exit(3)'])
      spawnSync(process.execPath, programOf(`say('ends'); ${end};`), inCheckout());
    spawnSync(process.execPath, programOf(`inTurn('.', () => say('works'));`), inCheckout());
    expect(log()).toBe('ends ends works');
    const name = createHash('sha256').update(checkout).digest('hex').slice(0, 24);
    expect(existsSync(join(tmpdir(), `parlance-turn-${name}.lock`))).toBe(false);
  });
});
