// One process at a time installs or compiles in a checkout: two `npm ci` in one folder delete each other's packages, and a program
// may read a file that another one is compiling. Built-in modules alone, because it runs before anything is installed.
import { createHash } from 'node:crypto';
import { linkSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const pollMs = 250;

/** The lock of a checkout: a file with the ids of the processes that have the turn. */
const lockOf = (root) => {
  const name = createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 24);
  return join(tmpdir(), `parlance-turn-${name}.lock`);
};

const unless = (code, work) => {
  try {
    return work();
  } catch (error) {
    if (error.code === code) return undefined;
    throw error;
  }
};

const ownerIn = (file) => unless('ENOENT', () => readFileSync(file, 'utf8'));

/** A process of another user is running, too: the signal is refused. */
const isRunning = (id) => {
  try {
    process.kill(Number(id), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Removes the lock of a process that was killed, unless another process has just taken the turn. */
const removeAbandoned = (file, owner) => {
  const aside = `${file}.${process.pid}`;
  unless('ENOENT', () => {
    renameSync(file, aside);
    if (ownerIn(aside) !== owner) unless('EEXIST', () => linkSync(aside, file));
    rmSync(aside);
  });
};

const tryLock = (file) =>
  unless('EEXIST', () => {
    // Under another name first: whoever finds the lock finds the owner in it.
    const staged = `${file}.${process.pid}`;
    writeFileSync(staged, `${process.pid}`, { mode: 0o600 });
    try {
      linkSync(staged, file);
    } finally {
      rmSync(staged);
    }
    return true;
  }) === true;

const sleep = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);

const held = new Set();

/** Does the work when no other process works in this checkout. The turn ends with the work, or with the process. */
export const inTurn = (root, work) => {
  const file = lockOf(root);
  if (held.has(file)) return work();
  for (let isTold = false; !tryLock(file); ) {
    const owner = ownerIn(file);
    if (owner === undefined) continue;
    const running = owner.split(' ').filter(isRunning).join(', ');
    if (running === '') removeAbandoned(file, owner);
    else {
      if (!isTold)
        console.log(`Another command installs or compiles here (process ${running}): waiting for it ...`);
      isTold = true;
      sleep();
    }
  }
  const release = () => rmSync(file, { force: true });
  held.add(file);
  process.once('exit', release);
  try {
    return work();
  } finally {
    process.removeListener('exit', release);
    held.delete(file);
    release();
  }
};

/**
 * A command line that runs the command and gives it a share of the turn that this process has. It keeps the turn when this process
 * is killed before it, as npm does, which goes on after a Ctrl-C.
 */
export const sharingTurn = (root, command, args) => [
  'sh',
  ['-c', 'printf " %s" "$$" >>"$0" && exec "$@"', lockOf(root), command, ...args],
];
