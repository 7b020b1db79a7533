// What `npm start` refuses before it installs anything, and the sentence that it refuses it with.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Facts {
  readonly node: string;
  readonly platform: string;
  readonly arch: string;
  readonly env: Readonly<Record<string, string>>;
  readonly isForTests: boolean;
  readonly args: readonly string[];
  readonly programs: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  readonly hasFetchedNats: boolean;
  readonly aptHasNats: boolean | undefined;
  readonly isGlibc: boolean;
  readonly isRoot: boolean;
  readonly canLeaveRoot: boolean;
  readonly port: string | undefined;
  readonly isPortFree: boolean;
}
interface Preflight {
  readonly problemsOf: (facts: Facts) => readonly string[];
  readonly optionOf: (args: readonly string[], name: string) => string | undefined;
}

let preflight: Preflight;
beforeAll(async () => {
  const file: string = join(root, 'scripts/lib/preflight.mjs');
  preflight = (await import(file)) as Preflight; // plain JavaScript
});

const debian: Facts = {
  node: '24.21.0',
  platform: 'linux',
  arch: 'x64',
  env: {},
  isForTests: false,
  args: [],
  programs: new Set(['apt-get', 'dpkg-deb']),
  files: new Set(),
  hasFetchedNats: false,
  aptHasNats: true,
  isGlibc: true,
  isRoot: false,
  canLeaveRoot: false,
  port: undefined,
  isPortFree: true,
};
const problems = (facts: Partial<Facts>): readonly string[] => preflight.problemsOf({ ...debian, ...facts });
const noPrograms = new Set<string>();

describe('the preflight of npm start', () => {
  it.each(['20.19.0', '20.20.2', '22.4.0', '23.0.0', '24.21.0', '26.1.0'])('accepts Node %s', (node) => {
    expect(problems({ node })).toEqual([]);
  });

  it.each(['16.20.2', '18.20.8', '20.18.3'])(
    'refuses Node %s with one sentence that says which version to install',
    (node) => {
      expect(problems({ node, programs: noPrograms, port: 'x' })).toEqual([
        `Parlance needs Node 20.19 or newer, and this is ${node}: install Node 24 from https://nodejs.org/en/download, or run \`nvm install 24\`.`,
      ]);
    },
  );

  it.each<[system: string, facts: Partial<Facts>]>([
    ['linux-x64 without glibc', { isGlibc: false }],
    ['linux-riscv64', { arch: 'riscv64' }],
    ['freebsd-x64', { platform: 'freebsd' }],
  ])('refuses an old Node where npm has no other one, on %s', (system, facts) => {
    expect(problems({ ...facts, node: '22.12.0' })).toEqual([
      `Parlance runs on Node 24 or newer, this is 22.12.0, and npm has no Node for ${system}: install Node 24 from https://nodejs.org/en/download, or run \`nvm install 24\`.`,
    ]);
    const env = { POSTGRES_ADMIN_URL: 'postgres://admin@db/postgres' };
    expect(problems({ ...facts, env, node: '24.0.0' })).toEqual([]);
  });

  it('sends people on Windows to WSL2', () => {
    expect(problems({ platform: 'win32' })).toEqual([expect.stringContaining('install WSL2')]);
  });

  it('accepts Debian and Ubuntu, whose packages have nats-server, also without package lists', () => {
    expect(problems({})).toEqual([]);
    expect(problems({ aptHasNats: undefined })).toEqual([]);
  });

  it.each<[name: string, facts: Partial<Facts>]>([
    ['on the PATH', { programs: new Set(['nats-server']) }],
    ['fetched by an earlier start', { hasFetchedNats: true }],
    ['named by NATS_URL', { env: { NATS_URL: 'nats://nats:4222' } }],
    ['named by NATS_SERVER_BIN', { env: { NATS_SERVER_BIN: '/opt/nats' }, files: new Set(['/opt/nats']) }],
  ])('needs no package manager for a nats-server that is %s', (_, facts) => {
    expect(problems({ programs: noPrograms, aptHasNats: false, ...facts })).toEqual([]);
  });

  it.each<[system: string, command: string, facts: Partial<Facts>]>([
    [
      'macOS with Homebrew',
      '`brew install nats-server`,',
      { platform: 'darwin', programs: new Set(['brew']), isGlibc: false },
    ],
    [
      'macOS without Homebrew',
      '`brew install nats-server` (Homebrew itself is at https://brew.sh),',
      { platform: 'darwin', programs: noPrograms, isGlibc: false },
    ],
    [
      'Fedora',
      '`curl -fsSL https://binaries.nats.dev/nats-io/nats-server/v2@latest | sudo PREFIX=/usr/local/bin sh`,',
      { programs: noPrograms },
    ],
    [
      'a Debian that is too old to have the package',
      '`curl -fsSL https://binaries.nats.dev/nats-io/nats-server/v2@latest | sudo PREFIX=/usr/local/bin sh`,',
      { aptHasNats: false },
    ],
  ])('names the command that installs nats-server on %s', (_, command, facts) => {
    expect(problems(facts)).toEqual([
      `nats-server is not installed: run ${command} or set NATS_URL to a server that is already running.`,
    ]);
  });

  it('refuses a NATS_SERVER_BIN that does not exist', () => {
    expect(problems({ env: { NATS_SERVER_BIN: '/opt/nats' } })).toEqual([
      expect.stringMatching(
        /^NATS_SERVER_BIN names \/opt\/nats, which does not exist: correct it, or unset it/,
      ),
    ]);
  });

  it.each<[reason: string, facts: Partial<Facts>]>([
    ['There is no packaged PostgreSQL for freebsd-x64', { platform: 'freebsd' }],
    ['There is no packaged PostgreSQL for linux-riscv64', { arch: 'riscv64' }],
    ['The packaged PostgreSQL needs glibc', { isGlibc: false }],
    ['PostgreSQL refuses to run as root', { isRoot: true }],
  ])('says "%s", unless POSTGRES_ADMIN_URL names a server', (reason, facts) => {
    const [sentence, ...others] = problems(facts);
    expect(others).toEqual([]);
    expect(sentence).toContain(reason);
    expect(sentence).toContain('set POSTGRES_ADMIN_URL');
    expect(problems({ ...facts, env: { POSTGRES_ADMIN_URL: 'postgres://admin@db/postgres' } })).toEqual([]);
  });

  it('accepts root where PostgreSQL can run under another user id', () => {
    expect(problems({ isRoot: true, canLeaveRoot: true })).toEqual([]);
  });

  it('refuses a port that is in use, and one that is no port', () => {
    expect(problems({ port: '4700' })).toEqual([]);
    expect(problems({ port: '4700', isPortFree: false })).toEqual([
      'Port 4700 of 127.0.0.1 cannot be used: stop the program that listens there, or choose another port with --port <n>.',
    ]);
    for (const port of ['', '0', '70000', '4.7', 'abc'])
      expect(problems({ port })).toEqual([`--port takes a number from 1 to 65535, not "${port}".`]);
  });

  it('names the programs of real media that are missing', () => {
    const programs = new Set(['nats-server', 'livekit-server', 'redis-server']);
    expect(problems({ programs, args: ['--browser-voice'] })).toEqual([]);
    expect(problems({ programs, args: ['--real-media'] })).toEqual([
      expect.stringMatching(/^--real-media needs livekit-sip, sipp on the PATH/),
    ]);
  });

  it('does not let tests use an engine that is already running, because they start their own', () => {
    const env = {
      NATS_URL: 'nats://127.0.0.1:4222',
      POSTGRES_ADMIN_URL: 'postgres://postgres@127.0.0.1/postgres',
    };
    const lacking = { env, programs: noPrograms, isGlibc: false };
    expect(problems(lacking)).toEqual([]);
    expect(problems({ ...lacking, isForTests: true })).toEqual([
      'nats-server is not installed: run `curl -fsSL https://binaries.nats.dev/nats-io/nats-server/v2@latest | sudo PREFIX=/usr/local/bin sh`, or set NATS_SERVER_BIN to the path of one; `npm run test:unit` needs none.',
      'The packaged PostgreSQL needs glibc, which this Linux does not have (Alpine has musl): run `npm run test:unit`, which needs none.',
    ]);
  });

  it('reports everything that is wrong at once', () => {
    expect(problems({ programs: noPrograms, isGlibc: false, port: 'x' })).toHaveLength(3);
  });

  it('reads an option with a space and with an equals sign', () => {
    expect(preflight.optionOf(['--empty', '--port', '4800'], '--port')).toBe('4800');
    expect(preflight.optionOf(['--port=4800', '--empty'], '--port')).toBe('4800');
    expect(preflight.optionOf(['--port'], '--port')).toBe('');
    expect(preflight.optionOf(['--empty'], '--port')).toBeUndefined();
  });
});
