// npm run check: the boundaries between folders of the console, a copy as a command for each action, and a subject in each
// sentence. These rules stand here, because dependency-cruiser reads no JSX where TypeScript 7 is installed. Run directly,
// it prints every break.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../../scripts/lib/prepare.mjs';

const sources = join(root, 'console', 'src');
const files = readdirSync(sources, { recursive: true })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'));
const known = new Map(files.map((name) => [name.replace(/\.tsx?$/, '.js'), name]));

// Types come without code, so they make no cycle; the rules about folders hold for them too.
const importsOf = (name) =>
  [
    ...readFileSync(join(sources, name), 'utf8').matchAll(
      /^(?:import|export) (type )?[^;]*?from '([^']+)'|import\('([^']+)'\)/gm,
    ),
  ].map(([, type, from, lazily]) => ({
    to: from ?? lazily,
    isCode: type === undefined && from !== undefined,
  }));
const targetOf = (name, to) =>
  to.startsWith('.') ? relative(sources, join(sources, dirname(name), to)).replaceAll('\\', '/') : to;

const areaOf = (path) => /^screens\/([^/]+)\//.exec(path)?.[1];
const rules = [
  [
    'the console asks through the client; only forms/schemas.ts loads the contract, and only a try of an agent its voice',
    (from, to) =>
      /^(@parlance\/|node:)/.test(to) &&
      to !== '@parlance/client' &&
      from !== 'forms/schemas.ts' &&
      !(to === '@parlance/widget/voice' && from.startsWith('screens/agents/trying/')),
  ],
  [
    'shared code of two areas is a component, not a screen',
    (from, to) => areaOf(from) !== undefined && areaOf(to) !== undefined && areaOf(from) !== areaOf(to),
  ],
  [
    'screens are on top: other folders do not know them',
    (from, to) =>
      /^(app|components|data|forms|strings|styles)\//.test(from) && /^(screens\/|route-table|main)/.test(to),
  ],
  ['data is at the bottom', (from, to) => from.startsWith('data/') && /^(app|components|forms)\//.test(to)],
  [
    'components know no form and no frame',
    (from, to) => from.startsWith('components/') && /^(app|forms)\//.test(to),
  ],
  ['forms know no frame', (from, to) => from.startsWith('forms/') && to.startsWith('app/')],
];

const problems = [];
const edges = new Map();
for (const from of files) {
  if (from.endsWith('.spec.ts')) continue;
  const imports = importsOf(from).map(({ to, isCode }) => ({ to: targetOf(from, to), isCode }));
  for (const { to } of imports)
    for (const [sentence, isBroken] of rules)
      if (isBroken(from, to)) problems.push(`${from} imports ${to}: ${sentence}`);
  edges.set(
    from,
    imports.flatMap(({ to, isCode }) => (isCode && known.has(to) ? [known.get(to)] : [])),
  );
}

const done = new Set();
const walk = (file, path) => {
  if (path.includes(file)) {
    problems.push(`these files import each other: ${[...path.slice(path.indexOf(file)), file].join(' -> ')}`);
    return;
  }
  if (done.has(file)) return;
  for (const next of edges.get(file) ?? []) walk(next, [...path, file]);
  done.add(file);
};
for (const file of edges.keys()) walk(file, []);

/** Requests that are a part of something larger, or belong to people who have not signed in. */
const uncopied = new Map([
  ['auth.organizationAcceptInvitation', 'an invitation is a link of a mail'],
  ['auth.organizationRejectInvitation', 'an invitation is a link of a mail'],
  ['auth.organizationSetActive', 'a session has its organization, and a key has its own'],
  ['auth.sendVerificationEmail', 'a person without a verified address has no program'],
  ['auth.signOut', 'a browser ends its own session'],
  ['knowledge.uploadUrl', 'the address of an upload is asked together with the file'],
  ['outboundCalls.batchUploadUrl', 'the address of an upload is asked together with the file'],
]);
for (const name of files.filter((file) => /^(screens|app)\//.test(file) && !file.endsWith('.spec.ts'))) {
  const text = readFileSync(join(sources, name), 'utf8');
  for (const [, variable, operation] of text.matchAll(/const (\w+) = useCommand\('([^']+)'/g)) {
    const isSentUnseen = new RegExp(`\\b${variable}\\.mutate(Async)?\\(`).test(text);
    if (isSentUnseen && !uncopied.has(operation) && !text.includes(`<CopyAsCurl operation="${operation}"`))
      problems.push(
        `${name} sends ${operation} without a way to copy it: use ${variable}.wish, or <CopyAsCurl> beside the control`,
      );
  }
}

// A sentence of the console begins with a named thing, in comments and on the screen, and is no question.
const bare = /(?:\/\/|\/\*\*|^\s*\*|[.:;!?]|['"`]) *(Who|What|Whose|How|Nobody) [a-z][^\n]*/gm;
for (const name of files)
  for (const [text] of readFileSync(join(sources, name), 'utf8').matchAll(bare))
    problems.push(`${name} has a sentence without a named subject: ${text.trim()}`);

for (const problem of problems) console.log(`console/src/${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
