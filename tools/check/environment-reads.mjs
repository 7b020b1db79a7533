// Reads of the environment in a source: each mention of `process.env`, in any spelling, and the variable that it names.
import { parseSync } from '@swc/core';

/** The name of a read that names no variable, such as one that hands the whole environment on. */
export const whole = '*';

const isNamed = (node, name) =>
  (node?.type === 'Identifier' && node.value === name) ||
  (node?.type === 'Computed' && node.expression?.type === 'StringLiteral' && node.expression.value === name);

const isProcess = (node) =>
  isNamed(node, 'process') || (node?.type === 'MemberExpression' && isNamed(node.property, 'process'));

const isEnvironment = (node) =>
  node?.type === 'MemberExpression' && isProcess(node.object) && isNamed(node.property, 'env');

const keyOf = (node) => {
  if (node?.type === 'Identifier' || node?.type === 'StringLiteral') return node.value;
  if (node?.type === 'Computed')
    return keyOf(node.expression?.type === 'StringLiteral' ? node.expression : undefined);
  return undefined;
};

/** Names that a pattern such as `{ PATH, HOME: home = '' }` takes out of the environment. */
const namesIn = (pattern) =>
  pattern?.type === 'ObjectPattern'
    ? pattern.properties.map(({ key, type }) => (type === 'RestElement' ? whole : (keyOf(key) ?? whole)))
    : [whole];

const importsEnvironment = ({ source, specifiers }) =>
  /^(node:)?process$/.test(source.value) &&
  specifiers.some(
    ({ type, local, imported }) => type !== 'ImportSpecifier' || (imported ?? local).value === 'env',
  );

const readsAt = (node, parent) => {
  if (node.type === 'ImportDeclaration' && importsEnvironment(node)) return [whole];
  if (node.type === 'VariableDeclarator' && isProcess(node.init) && node.id.type === 'ObjectPattern')
    return namesIn(node.id).includes('env') ? [whole] : [];
  if (!isEnvironment(node)) return [];
  if (parent?.type === 'MemberExpression' && parent.object === node) return [keyOf(parent.property) ?? whole];
  if (parent?.type === 'VariableDeclarator') return namesIn(parent.id);
  return [whole];
};

const walk = (node, parent, found) => {
  if (Array.isArray(node)) {
    for (const item of node) walk(item, parent, found);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  if (typeof node.type !== 'string') {
    for (const inner of Object.values(node)) walk(inner, parent, found);
    return;
  }
  found.push(...readsAt(node, parent));
  for (const inner of Object.values(node)) walk(inner, node, found);
};

/** @returns the variables that the source reads, each once; `*` for a read that names none */
export const environmentReadsIn = (text) => {
  const found = [];
  walk(parseSync(text, { syntax: 'typescript', decorators: true, tsx: false }), undefined, found);
  return [...new Set(found)].sort();
};

/**
 * @param reads by file, from the root of the repository
 * @param known variables that a schema describes
 * @param allowed `{ files, name, why }`: a pattern of files and of variables, and the reason
 * @returns a line for each read that nothing allows, and for each entry that allows nothing
 */
export const judgeReads = (reads, known, allowed) => {
  const used = new Set();
  const isAllowed = (file, name) => {
    const entries = allowed.filter((entry) => entry.files.test(file) && entry.name.test(name));
    for (const entry of entries) used.add(entry);
    return entries.length > 0;
  };
  const problems = Object.entries(reads).flatMap(([file, names]) =>
    names
      .filter((name) => !isAllowed(file, name) && !isDescribed(file, name, known))
      .map((name) => `${file} reads ${name === whole ? 'the whole environment' : name} outside of a schema`),
  );
  const idle = allowed.filter((entry) => !used.has(entry));
  return [
    ...problems,
    ...idle.map(({ files, name }) => `${files} and ${name} allow a read that is not there`),
  ];
};

/** Programs for trials may read a variable that a schema describes; programs that serve customers read it by the schema. */
const isDescribed = (file, name, known) =>
  !/^(gateway|services|libs|tools\/provision)\//.test(file) && known.has(name);
