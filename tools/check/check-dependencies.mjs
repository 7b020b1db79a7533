// npm run check: does docs/dependencies.md have a row for each package that a workspace names, and for no other? Run directly, it
// prints what differs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/prepare.mjs';
import { workspacesOf } from './workspace-tests.mjs';

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
/** Ours, and types, which belong to the package that they describe. */
const needsNoRow = /^@(parlance|types)\//;

const namedIn = (folder) => {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {})).filter((name) => !needsNoRow.test(name));
};

const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8').split('\n## Behind')[0];
const rows = page.split('\n').filter((line) => line.startsWith('| `'));
const described = rows.flatMap((row) =>
  [...row.split(' | ')[0].matchAll(/`([^`]+)`/g)].map(([, name]) => name),
);

// These have lock files of their own, and are no workspaces.
const installedApart = ['examples/generated-clients', 'runtime/voice'];
const named = new Set(['.', ...installedApart, ...workspacesOf(root)].flatMap(namedIn));
const problems = [
  ...[...named].filter((name) => !described.includes(name)).map((name) => `${name} has no row`),
  ...described
    .filter((name) => !named.has(name))
    .map((name) => `${name} has a row, and no workspace names it`),
  ...described
    .filter((name, index) => described.indexOf(name) !== index)
    .map((name) => `${name} has two rows`),
];
for (const problem of problems.toSorted()) console.log(`docs/dependencies.md: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
