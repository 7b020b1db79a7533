// The compiled platform: of this checkout, or of another commit, made in a temporary folder.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
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
  root: fileURLToPath(new URL('../../../../', import.meta.url)),
};

const bundler = 'tools/provision/bundle.mjs';

/** File and arguments that run a process as the image of the build runs it, by its name there. */
export const commandOf = ({ root }: Build, process: string): readonly [string, ...string[]] =>
  existsSync(join(root, bundler))
    ? [join(root, 'tools/provision/dist/programs/serve.js'), process]
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

/** Its own packages as locked: links to those of this checkout would lead the compiler out of the folder. */
const install = (root: string): void => {
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', ['ci', ...quiet], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
};

export interface TemporaryBuild extends Build {
  remove(): void;
}

/**
 * Installs and compiles a commit in a temporary folder; takes two minutes or three.
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
    install(root);
    const node = (...args: readonly string[]) =>
      execFileSync(process.execPath, [...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    node('node_modules/typescript/bin/tsc', '-b');
    node('packages/widget/bundle.mjs');
    if (existsSync(join(root, bundler))) node(bundler);
    return { name: reference, root, remove };
  } catch (error) {
    remove();
    throw error;
  }
};
