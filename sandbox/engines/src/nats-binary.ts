// Finds nats-server: named by the environment, on the PATH, fetched earlier, or fetched now from the
// distribution's signed packages. Nothing is installed on the system, so it works as root and as anybody.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onPath } from './on-path.js';

const run = (cwd: string, file: string, args: readonly string[]): boolean =>
  spawnSync(file, args, { cwd, stdio: 'ignore', timeout: 120_000 }).status === 0;

const download = (directory: string): boolean => {
  if (run(directory, 'apt-get', ['download', 'nats-server'])) return true;
  // No package lists yet, or not ours to read: keep private ones. Signatures are checked as always.
  const state = join(directory, 'apt');
  for (const part of ['lists/partial', 'archives/partial']) mkdirSync(join(state, part), { recursive: true });
  const options = [
    ['Dir::State::Lists', join(state, 'lists')],
    ['Dir::Cache', state],
    ['Dir::Cache::Archives', join(state, 'archives')],
    ['APT::Sandbox::User', process.getuid?.() === 0 ? 'root' : ''],
  ].flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  return (
    run(directory, 'apt-get', [...options, 'update']) &&
    run(directory, 'apt-get', [...options, 'download', 'nats-server'])
  );
};

const fetchFromPackages = (target: string): boolean => {
  const work = mkdtempSync(join(tmpdir(), 'parlance-nats-'));
  try {
    if (!download(work)) return false;
    const archive = readdirSync(work).find((file) => file.endsWith('.deb'));
    if (archive === undefined || !run(work, 'dpkg-deb', ['-x', archive, 'root'])) return false;
    const staged = `${target}.${process.pid}`;
    if (!run(work, 'cp', [join('root', 'usr', 'sbin', 'nats-server'), staged])) return false;
    renameSync(staged, target);
    return true;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

const advice = [
  'nats-server was not found and could not be fetched from the system packages.',
  'Install NATS Server 2.9 or newer (https://nats.io/download), put it on the PATH,',
  'or name it: NATS_SERVER_BIN=/path/to/nats-server',
].join('\n');

/**
 * Path of a nats-server that is named by the environment or installed.
 * @throws Error when the environment names one that does not exist
 */
export const findInstalledNatsServer = (): string | undefined => {
  const named = process.env.NATS_SERVER_BIN;
  if (named === undefined || named === '') return onPath('nats-server');
  if (existsSync(named)) return named;
  throw new Error(`NATS_SERVER_BIN names ${named}, which does not exist.`);
};

/**
 * Path of a nats-server binary.
 * @param cacheDir where a fetched one is kept for the next time
 * @throws Error that names the program to install, when there is none to be had
 */
export const findNatsServer = (cacheDir: string): string => {
  const installed = findInstalledNatsServer();
  if (installed !== undefined) return installed;
  const cached = join(cacheDir, 'nats-server');
  if (existsSync(cached)) return cached;
  mkdirSync(cacheDir, { recursive: true });
  if (fetchFromPackages(cached)) return cached;
  throw new Error(advice);
};
