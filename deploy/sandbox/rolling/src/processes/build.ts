// The compiled platform: of this checkout, or of another commit, made in a temporary folder.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Build {
  /** For people: `present`, or the name of a commit. */
  readonly name: string;
  /** Folder of the checkout. */
  readonly root: string;
}

export const present: Build = {
  name: 'present',
  root: fileURLToPath(new URL('../../../../../', import.meta.url)),
};

const bundler = 'deploy/image/bundle.mjs';

/** File and arguments that run a process as the image of the build runs it, by its name there. */
export const commandOf = ({ root }: Build, process: string): readonly [string, ...string[]] =>
  existsSync(join(root, bundler))
    ? [join(root, 'deploy/image/dist/programs/serve.js'), process]
    : // A release before its processes were bundled.
      [join(root, process === 'gateway' ? process : `services/${process}`, 'dist/main.js')];

const git = (...args: readonly string[]): string =>
  execFileSync('git', [...args], { cwd: present.root, encoding: 'utf8' }).trim();

/** The tag of the last release before the present commit; undefined where there is none. */
export const lastRelease = (): string | undefined => {
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v*');
  } catch {
    return undefined;
  }
};

const packages = '@parlance';

/** Packages of others are linked; those of the workspaces have to be the build's own. */
const linkModules = (from: string, to: string): void => {
  mkdirSync(to);
  for (const entry of readdirSync(from))
    if (entry !== packages) symlinkSync(join(from, entry), join(to, entry));
  cpSync(join(from, packages), join(to, packages), { recursive: true, verbatimSymlinks: true });
};

const isSameLock = (root: string): boolean =>
  readFileSync(join(root, 'package-lock.json')).equals(readFileSync(join(present.root, 'package-lock.json')));

/** Folders that may have packages of their own: npm puts a version there that another one keeps out of the root. */
const workspacesOf = (root: string): readonly string[] => [
  ...['gateway', 'console', 'bench'],
  ...['libs', 'services', 'deploy', 'deploy/sandbox', 'examples'].flatMap((parent) =>
    readdirSync(join(root, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${parent}/${name}`),
  ),
];

/** Links every node_modules of this checkout where the versions are the same, and installs otherwise. */
const provideModules = (root: string): void => {
  if (!isSameLock(root)) {
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    execFileSync('npm', ['ci', ...quiet], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    return;
  }
  linkModules(join(present.root, 'node_modules'), join(root, 'node_modules'));
  for (const folder of workspacesOf(root)) {
    const own = join(present.root, folder, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(root, folder, 'node_modules'));
  }
};

export interface TemporaryBuild extends Build {
  remove(): void;
}

/**
 * Compiles a commit in a temporary folder; takes a minute or two.
 * @throws Error where there is no git, or no such commit
 */
export const buildOf = (reference: string): TemporaryBuild => {
  const commit = git('rev-parse', '--verify', `${reference}^{commit}`);
  const root = mkdtempSync(join(tmpdir(), 'parlance-build-'));
  const remove = (): void => rmSync(root, { recursive: true, force: true });
  try {
    const archive = join(root, 'source.tar');
    git('archive', '--output', archive, commit);
    execFileSync('tar', ['-xf', archive, '-C', root]);
    rmSync(archive);
    provideModules(root);
    const node = (...args: readonly string[]) =>
      execFileSync(process.execPath, [...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    node('node_modules/typescript/bin/tsc', '-b');
    node('libs/widget/bundle.mjs');
    if (existsSync(join(root, bundler))) node(bundler);
    return { name: reference, root, remove };
  } catch (error) {
    remove();
    throw error;
  }
};
