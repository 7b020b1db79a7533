// Reads the tools in the list of a server. An entry that cannot be used is left out with a warning, and takes no other away.
import type { McpWarning } from '@parlance/contracts';
import { isObject } from '../protocol/json.js';
import type { ListedTools } from '../protocol/session.js';
import { type DefinedTool, define, type Problem, problemOf } from './definition.js';
import { type ListedTool, type Oddity, type ReadOptions, readEntry } from './listed-tool.js';
import { bounded, incompleteWarning, mendedWarning, warning } from './warnings.js';

export interface ReadTools {
  readonly tools: readonly DefinedTool[];
  readonly warnings: readonly McpWarning[];
  /** The server has more tools than the platform takes, even without those that had to be mended. */
  readonly isTooMany: boolean;
}

const mostTools = 256;

interface Usable {
  readonly tool: ListedTool;
  readonly oddities: readonly Oddity[];
}

interface LeftOut extends Problem {
  readonly name: string;
}

const isSound = ({ oddities }: Usable): boolean => oddities.length === 0;

/** The name of an entry, or its place in the list where it has no name. */
const nameOf = (entry: unknown, place: number): string =>
  isObject(entry) && typeof entry.name === 'string' ? entry.name : `tools[${place}]`;

/** The usable entries, each name once, and the others. */
const sorted = (
  entries: readonly unknown[],
  options: ReadOptions,
): { readonly usable: readonly Usable[]; readonly leftOut: readonly LeftOut[] } => {
  const usable = new Map<string, Usable>();
  const leftOut: LeftOut[] = [];
  for (const [place, entry] of entries.entries()) {
    const read = readEntry(entry, place, options);
    const problem = 'unusable' in read ? read.unusable : problemOf(read.tool, options);
    const name = nameOf(entry, place);
    if (usable.has(name)) leftOut.push({ name, code: 'name_repeated', field: 'name' });
    else if (problem !== undefined) leftOut.push({ name, ...problem });
    else if ('tool' in read) usable.set(name, read);
  }
  return { usable: [...usable.values()], leftOut };
};

/** Tools that had to be mended give way when there are too many, so that they do not take others away. */
const withinLimit = (usable: readonly Usable[]): ReadonlySet<Usable> => {
  const [sound, mended] = [usable.filter(isSound), usable.filter((one) => !isSound(one))];
  return new Set([...sound, ...mended].slice(0, mostTools));
};

const warningsOf = (defined: DefinedTool, { oddities }: Usable): McpWarning[] => [
  ...(defined.isSuspicious
    ? [warning({ name: defined.name, field: 'description' }, 'hidden_instructions')]
    : []),
  ...mendedWarning(defined.name, oddities),
];

export const readTools = ({ tools: entries, isModern, incomplete }: ListedTools): ReadTools => {
  const { usable, leftOut } = sorted(entries, { isModern });
  const kept = withinLimit(usable);
  const tools: DefinedTool[] = [];
  const warnings = leftOut.map((one) => warning(one, one.code));
  if (incomplete !== undefined) warnings.push(incompleteWarning(incomplete));
  for (const one of usable) {
    const { name } = one.tool;
    if (!kept.has(one)) {
      warnings.push(warning({ name, field: one.oddities[0]?.field ?? 'name' }, 'too_many_tools'));
      continue;
    }
    const defined = define(one.tool);
    tools.push(defined);
    warnings.push(...warningsOf(defined, one));
  }
  return { tools, warnings: bounded(warnings), isTooMany: usable.filter(isSound).length > mostTools };
};
