// What the commands of package.json do before anything is installed or compiled.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
}
type Packages = Readonly<Record<string, Locked>>;
interface Installed {
  readonly isInstalled: (root: string) => boolean;
}

let folder: string;
let isInstalled: Installed['isInstalled'];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-scripts-'));
  const file: string = join(root, 'scripts/lib/installed.mjs');
  ({ isInstalled } = (await import(file)) as Installed); // plain JavaScript
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (file: string, value: unknown): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), JSON.stringify(value));
};

const locked: Packages = {
  '': { version: '1.0.0' },
  'libs/own': { version: '1.0.0' },
  'node_modules/own': { resolved: 'libs/own', link: true },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/a/node_modules/b': { version: '2.0.0', integrity: 'sha512-b' },
  'node_modules/for-windows': { version: '1.0.0', integrity: 'sha512-w', optional: true },
};
const { '': _root, 'node_modules/for-windows': _optional, ...present } = locked;

/** A checkout with these packages in the lock file of npm, and in its folders. */
const checkout = (installed: Packages, folders: Packages = installed): string => {
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  write('package-lock.json', { packages: locked });
  write('node_modules/.package-lock.json', { packages: installed });
  for (const path of Object.keys(folders)) write(`${path}/package.json`, {});
  return folder;
};

describe('the packages', () => {
  it('count as installed after npm ci, without those for other platforms', () => {
    expect(isInstalled(checkout(present))).toBe(true);
    expect(isInstalled(checkout(locked))).toBe(true);
    expect(isInstalled(root)).toBe(true);
  });

  it('count as missing where a new install would change something', () => {
    const { 'node_modules/a': a, ...withoutA } = present;
    expect(isInstalled(checkout(withoutA))).toBe(false);
    expect(isInstalled(checkout({ ...present, 'node_modules/a': { ...a, version: '1.0.1' } }))).toBe(false);
    expect(isInstalled(checkout({ ...present, 'node_modules/a': { ...a, integrity: 'sha512-x' } }))).toBe(
      false,
    );
    expect(isInstalled(checkout(present, withoutA))).toBe(false);
    rmSync(join(folder, 'node_modules'), { recursive: true });
    expect(isInstalled(folder)).toBe(false);
  });
});

describe('npm start in a checkout without packages', () => {
  let fresh: string;
  beforeAll(() => {
    fresh = join(folder, 'fresh');
    cpSync(join(root, 'scripts'), join(fresh, 'scripts'), { recursive: true });
  });

  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', ...args], {
      cwd: fresh,
      encoding: 'utf8',
      env,
    });
    return { status, stdout, stderr };
  };

  it('prints its help and writes nothing', () => {
    const { status, stdout, stderr } = start(['--help']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^npm start -- \[options\]/);
    for (const option of ['--port', '--data-dir', '--real-media', '--browser-voice', '--dialers'])
      expect(stdout).toContain(option);
    expect(stdout).not.toContain('Installing');
  });

  it('refuses a nats-server that does not exist before it installs anything', () => {
    const { status, stdout, stderr } = start([], {
      NATS_SERVER_BIN: '/no/nats',
      POSTGRES_ADMIN_URL: 'postgres://127.0.0.1/postgres',
    });
    expect(stderr).toMatch(/^NATS_SERVER_BIN names \/no\/nats, [^\n]+\n$/);
    expect([status, stdout]).toEqual([1, '']);
  });

  it('refuses a port that another program listens on before it installs anything', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const { status, stdout, stderr } = start([`--port=${port}`], {
        NATS_URL: 'nats://127.0.0.1:4222',
        POSTGRES_ADMIN_URL: 'postgres://127.0.0.1/postgres',
      });
      expect(stderr).toMatch(new RegExp(`^Port ${port} of 127.0.0.1 cannot be used: [^\n]+\n$`));
      expect([status, stdout]).toEqual([1, '']);
    } finally {
      server.close();
    }
  });
});

interface NodeModule {
  readonly packageFor: (system: { platform: string; arch: string; isGlibc: boolean }) => string;
}

/** Makes the first process believe that it is an old Node, and not those that it starts. */
const pretence = `
const version = process.env.PRETENDED_NODE;
delete process.env.PRETENDED_NODE;
if (version) Object.defineProperty(process, 'versions', { value: { ...process.versions, node: version } });
`;

const probe = `
import { install } from './lib/prepare.mjs';
console.log('begun');
await install();
console.log(JSON.stringify([process.versions.node, process.execPath, process.ppid, ...process.argv.slice(2)]));
if (process.argv.includes('wait')) setInterval(() => {}, 1000);
else process.exit(7);
`;

describe('a script on a Node that is too old', () => {
  let checkoutFolder: string;
  let executable: string;
  beforeEach(async () => {
    checkoutFolder = mkdtempSync(join(folder, 'handover-'));
    const inside = (path: string) => join(checkoutFolder, path);
    cpSync(join(root, 'scripts'), inside('scripts'), { recursive: true });
    writeFileSync(inside('scripts/probe.mjs'), probe);
    writeFileSync(inside('pretence.mjs'), pretence);
    const { packageFor } = (await import(String(join(root, 'scripts/lib/node.mjs')))) as NodeModule;
    const { platform, arch } = process;
    executable = inside(`node_modules/${packageFor({ platform, arch, isGlibc: true })}/bin/node`);
    for (const path of [dirname(executable), inside('node_modules/.bin')])
      mkdirSync(path, { recursive: true });
    symlinkSync(process.execPath, executable);
    symlinkSync(executable, inside('node_modules/.bin/node'));
    for (const path of ['package-lock.json', 'node_modules/.package-lock.json'])
      writeFileSync(inside(path), JSON.stringify({ packages: {} }));
    for (const path of ['services', 'deploy']) mkdirSync(inside(path));
    writeFileSync(inside('deploy/services.json'), JSON.stringify({ processes: [] }));
  });

  const options = (version: string) => {
    const { npm_lifecycle_event: _event, ...env } = process.env;
    const agent = `npm/11.19.1 node/v${version} linux x64 workspaces/false`;
    return { cwd: checkoutFolder, env: { ...env, PRETENDED_NODE: version, npm_config_user_agent: agent } };
  };
  const command = (...args: string[]): string[] => [
    '--import',
    './pretence.mjs',
    'scripts/probe.mjs',
    ...args,
  ];
  const run = (version: string, ...args: string[]) =>
    spawnSync(process.execPath, command(...args), { ...options(version), encoding: 'utf8' });
  const linked = () => existsSync(join(checkoutFolder, 'node_modules/.bin/node'));

  it('runs on the one of the lock file, with its arguments, output and exit status', () => {
    const { status, stdout, stderr, pid } = run('20.20.2', '--port', 'a b');
    expect([status, stderr]).toEqual([7, '']);
    const [first, second, result = ''] = stdout.split('\n');
    expect([first, second]).toEqual(['begun', 'begun']);
    expect(JSON.parse(result)).toEqual([process.versions.node, process.execPath, pid, '--port', 'a b']);
    expect(linked()).toBe(true);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('receives %s and ends as it says', async (signal) => {
    const child = spawn(process.execPath, command('wait'), { ...options('20.20.2'), stdio: 'pipe' });
    let output = '';
    const ended = new Promise((resolve) => child.once('exit', (_code, by) => resolve(by)));
    for await (const chunk of child.stdout) {
      output += String(chunk);
      if (output.includes('"wait"')) child.kill(signal);
    }
    // The output ends when both processes have closed it.
    expect(await ended).toBe(signal);
  });

  it('says what to do where the lock file has none that is installed', () => {
    rmSync(executable);
    const { status, stderr } = run('20.20.2');
    expect(status).toBe(1);
    expect(stderr).toBe(
      'Parlance runs on Node 24 or newer, this is 20.20.2, and the one of package-lock.json is not installed: run `npm ci --include=optional`, or install Node 24 from https://nodejs.org/en/download, or run `nvm install 24`.\n',
    );
  });

  it('says what to do where the installed one cannot be started', () => {
    rmSync(executable);
    mkdirSync(executable);
    const { status, stderr } = run('20.20.2');
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^Parlance runs on Node 24 [^\n]+ delete node_modules and try again, or [^\n]+\n$/,
    );
  });

  it('stays on a Node that is new enough, and lets npm find that one', () => {
    const { status, stdout } = run('26.0.0');
    expect(status).toBe(7);
    expect(stdout.match(/begun/g)).toHaveLength(1);
    expect(linked()).toBe(false);
  });
});

it('npm run dev shows its help in a checkout without packages', () => {
  const fresh = join(folder, 'fresh-dev');
  for (const path of ['scripts', 'deploy/services.json'])
    cpSync(join(root, path), join(fresh, path), { recursive: true });
  const { status, stdout } = spawnSync(process.execPath, ['scripts/dev.mjs', '--help'], {
    cwd: fresh,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^npm run dev -- \[service \.\.\.\]/);
  expect(stdout).toContain('gateway, agents-config');
});
