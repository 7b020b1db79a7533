// The columns of a file beside the placeholders of an agent: which of them fit together.
import type { BatchPreview, Overridable, Result, serviceRequests } from '@parlance/contracts';
import type { Column, Columns, Override } from '../importing/columns.js';

type ColumnShown = BatchPreview['columns'][number];
type Placeholder = Result<typeof serviceRequests.agentsPlaceholders>['placeholders'][number];

export interface AgentTexts {
  readonly placeholders: readonly Placeholder[];
  readonly allowedOverrides: readonly Overridable[];
}

/** Overrides that the agent has to allow; the others describe the callee. */
const overridables: Partial<Record<Override, Overridable>> = {
  firstMessage: 'firstMessage',
  systemPrompt: 'systemPrompt',
  language: 'agent_language',
  voiceId: 'voiceId',
};

const isUsed = (column: Column, { placeholders, allowedOverrides }: AgentTexts): boolean => {
  switch (column.kind) {
    case 'phone':
      return true;
    case 'nameless':
      return false;
    case 'variable':
      return placeholders.some(({ name }) => column.fills.includes(name));
    case 'override': {
      const needed = overridables[column.field];
      return needed === undefined || allowedOverrides.includes(needed);
    }
  }
};

const uses = { phone: 'phone_number', override: 'override', variable: 'variable', nameless: 'none' } as const;
const longestHeader = 256;

const variablesOf = (column: Column): string[] => ('fills' in column ? [...column.fills] : []);

/** The columns in the order of the file; none when not even the header was read. */
export const columnsShown = (columns: Columns | null, agent: AgentTexts): ColumnShown[] =>
  (columns?.all ?? []).map((column, index) => {
    // Without a mapping, the variable `username` is the name of the callee.
    const isName =
      columns?.username === undefined ? variablesOf(column).includes('username') : columns.username === index;
    return {
      header: (columns?.headers[index] ?? '').trim().slice(0, longestHeader),
      use: uses[column.kind],
      isName,
      variables: variablesOf(column),
      isUsed: isName || isUsed(column, agent),
    };
  });

export const placeholdersShown = (
  columns: Columns | null,
  { placeholders }: AgentTexts,
): BatchPreview['placeholders'] => {
  const filled = new Set((columns?.all ?? []).flatMap(variablesOf));
  return placeholders.map(({ name, hasDefault }) => ({ name, hasColumn: filled.has(name), hasDefault }));
};
