// Brings a checkout into shape with nothing but Node and npm: dependencies as locked, a supported Node, TypeScript compiled.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharingLock, withCheckoutLock } from './checkout-lock.mjs';
import { isInstalled, lockProblems } from './installed.mjs';
import { useSupportedNode } from './node.mjs';
import { checkSystem, refuse } from './preflight.mjs';
import { proxyProblem } from './proxy.mjs';
import { registryProblems } from './registry.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs a command from the project's root; ends this process with its status when it fails. */
export const run = (command, args, options = {}) => {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (result.error) {
    console.error(`${command} could not be started: ${result.error.message}`);
    process.exit(1);
  }
  if (result.status !== 0) process.exit(result.status ?? 1);
};

/** Runs a tool of a dependency; ends this process with its status when it fails. */
export const runTool = (tool, args, options) => run(join(root, 'node_modules', '.bin', tool), args, options);

export const npmOptions = [
  '--include=optional',
  '--engine-strict=false',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/**
 * Installs the packages of package-lock.json, unless exactly these are installed. From here on the program runs on a
 * supported Node: on an older one it is run again from its beginning.
 */
export const install = async () => {
  checkSystem();
  refuse(registryProblems(root));
  if (!isInstalled(root)) {
    const proxy = await proxyProblem(process.env);
    refuse([...lockProblems(root), ...(proxy === undefined ? [] : [proxy])]);
    withCheckoutLock(root, () => {
      if (isInstalled(root)) return;
      console.log('Installing dependencies (once, about a minute) ...');
      // npm ci gives up on the folders that an interrupted install leaves behind.
      rmSync(join(root, 'node_modules'), { recursive: true, force: true, maxRetries: 5 });
      run(...sharingLock(root, 'npm', ['ci', ...npmOptions]));
    });
  }
  await useSupportedNode(root);
};

/**
 * The checkers of one project share no types: each resolves again what the files of the others use, too. Projects are compiled side by
 * side, which keeps a few cores busy with one checker each.
 */
const checkers = availableParallelism() > 4 ? [] : ['--checkers', '1'];

/** Compiles the changed files of some workspaces, and of those that they need. */
export const compile = (...workspaces) =>
  withCheckoutLock(root, () => runTool('tsc', ['-b', ...checkers, ...workspaces]));

const bundle = (...bundlers) => {
  for (const bundler of bundlers) run(process.execPath, [bundler]);
};

/** What the platform serves and runs on this machine: website widget, console, and the processes of `npm start`. */
const startBundles = ['packages/widget/bundle.mjs', 'console/build.mjs', 'sandbox/start/bundle.mjs'];

/** Compiles and bundles what `npm start` runs, and no test or tool. */
export const buildStart = () => {
  const services = readdirSync(join(root, 'services')).map((name) => `services/${name}`);
  withCheckoutLock(root, () => {
    compile('sandbox/start', 'gateway', ...services, 'runtime/process', 'console', 'packages/widget');
    bundle(...startBundles);
  });
};

/** Compiles all changed files, and bundles what is run from bundles. */
export const build = () =>
  withCheckoutLock(root, () => {
    compile();
    bundle(...startBundles, 'tools/provision/bundle.mjs');
  });
