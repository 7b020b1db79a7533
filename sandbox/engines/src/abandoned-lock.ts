// PostgreSQL refuses to start beside a lock file that names a process, and takes any process for its own. It even takes a
// dead process that its parent has not collected yet, or a stranger that has the same id since. Where the kernel tells
// more, so do we. The file itself stays: the memory that it names guards the data against children that outlived their
// server.
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const lockOf = (dataDir: string): string => join(dataDir, 'postmaster.pid');

/** Every process of PostgreSQL works in its data directory. Undefined where that cannot be told. */
const worksIn = (pid: number | string, dataDir: string): boolean | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // node:fs throws this type
    // The dead have no directory, collected or not.
    return code === 'ENOENT' || code === 'ESRCH' ? false : undefined;
  }
};

const namedIn = (dataDir: string): number | undefined => {
  const lock = lockOf(dataDir);
  const pid = existsSync(lock) ? Number.parseInt(readFileSync(lock, 'utf8'), 10) : Number.NaN;
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
};

/** PostgreSQL killed in the moment in which it starts leaves a lock file with nothing in it, and never starts beside one. */
export const removeEmptyLock = (dataDir: string): void => {
  const lock = lockOf(dataDir);
  if (existsSync(lock) && statSync(lock).size === 0) rmSync(lock);
};

/** The id in the lock file, where the process of this id is certainly no PostgreSQL on this data. */
export const abandonedLock = (dataDir: string): number | undefined => {
  const pid = namedIn(dataDir);
  return pid !== undefined && existsSync('/proc/self/cwd') && worksIn(pid, dataDir) === false
    ? pid
    : undefined;
};

const left = (dataDir: string): string[] =>
  existsSync('/proc/self/cwd')
    ? readdirSync('/proc').filter((name) => /^\d+$/.test(name) && worksIn(name, dataDir) === true)
    : [];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const patienceMs = 5_000;

/** Waits for the children of a killed server, which notice its death by themselves. A server that lives is not waited for. */
export const untilChildrenAreGone = async (dataDir: string): Promise<void> => {
  const deadline = Date.now() + patienceMs;
  while (abandonedLock(dataDir) !== undefined && left(dataDir).length > 0 && Date.now() < deadline)
    await pause(25);
};
