// Lets only one process at a time install or compile in a checkout. Two `npm ci` in one folder delete each other's packages, and
// a program may read a file that is being compiled. Uses built-in modules only, because it runs before anything is installed.
import { createHash } from 'node:crypto';
import { linkSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const pollMs = 250;

/** The lock file of a checkout. It contains the ids of the processes that hold the lock. */
const lockOf = (root) => {
  const name = createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 24);
  return join(tmpdir(), `parlance-checkout-${name}.lock`);
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

/** EPERM: it runs as another user. */
const isRunning = (id) => {
  try {
    process.kill(Number(id), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Removes the lock of a killed process, unless another process has just acquired it. */
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
    // Written under another name first, so that the lock never appears without its owner.
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

/** Acquires the lock of the checkout, and returns the function that releases it. */
const acquire = (file) => {
  for (let isReported = false; !tryLock(file); ) {
    const owner = ownerIn(file);
    if (owner === undefined) continue;
    const running = owner.split(' ').filter(isRunning).join(', ');
    if (running === '') removeAbandoned(file, owner);
    else {
      if (!isReported)
        console.log(
          `Waiting for another command that is installing or compiling here (process ${running}) ...\n` +
            `If that process is another program, delete ${file}.`,
        );
      isReported = true;
      sleep();
    }
  }
  const release = () => rmSync(file, { force: true });
  held.add(file);
  process.once('exit', release);
  return () => {
    process.removeListener('exit', release);
    held.delete(file);
    release();
  };
};

/** Runs the work while holding the lock of the checkout. The lock is released with the work or when the process ends. */
export const withCheckoutLock = (root, work) => {
  const file = lockOf(root);
  if (held.has(file)) return work();
  const release = acquire(file);
  try {
    return work();
  } finally {
    release();
  }
};

/** The same for work that is done when its promise is settled, with a folder's lock of its own. */
export const withFolderLock = async (folder, work) => {
  const release = acquire(lockOf(folder));
  try {
    return await work();
  } finally {
    release();
  }
};

/**
 * A command line that runs the command as a second holder of this process's lock. npm outlives a Ctrl-C, and must keep the lock
 * when this process has ended before it.
 */
export const sharingLock = (root, command, args) => [
  'sh',
  ['-c', 'printf " %s" "$$" >>"$0" && exec "$@"', lockOf(root), command, ...args],
];
