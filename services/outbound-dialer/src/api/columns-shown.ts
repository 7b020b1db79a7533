// The columns of a file beside the placeholders of an agent: which of them fit together.
import { type BatchPreview, type Overridable, type Result, type serviceRequests } from '@parlance/contracts';
import type { Column, Columns } from '../import/columns.js';
import { isAllowed } from '../import/override-rules.js';

type ColumnShown = BatchPreview['columns'][number];
type Placeholder = Result<typeof serviceRequests.agentsPlaceholders>['placeholders'][number];

export interface AgentTexts {
  readonly placeholders: readonly Placeholder[];
  /** Placeholders that no variable can fill. Absent from an older release. */
  readonly impossible?: Result<typeof serviceRequests.agentsPlaceholders>['impossible'];
  readonly allowedOverrides: readonly Overridable[];
}

const isUsed = (column: Column, { placeholders, allowedOverrides }: AgentTexts): boolean =>
  column.kind === 'phone' ||
  (column.kind === 'override' && isAllowed(column.field, allowedOverrides)) ||
  placeholders.some(({ name }) => column.fills.includes(name));

const uses = { phone: 'phone_number', override: 'override', variable: 'variable', ignored: 'none' } as const;

/** The columns in the order of the file; none when not even the header was read. */
export const columnsShown = (columns: Columns | null, agent: AgentTexts): ColumnShown[] =>
  (columns?.all ?? []).map((column, index) => {
    // Without a mapping, the variable `username` is the name of the callee.
    const isName =
      columns?.username === undefined ? column.fills.includes('username') : columns.username === index;
    return {
      header: columns?.headers[index] ?? '',
      use: uses[column.kind],
      isName,
      variables: [...column.fills],
      isUsed: isName || isUsed(column, agent),
    };
  });

const filledBy = (columns: Columns | null): ReadonlySet<string> =>
  new Set((columns?.all ?? []).flatMap(({ fills }) => fills));

export const placeholdersShown = (
  columns: Columns | null,
  { placeholders }: AgentTexts,
): BatchPreview['placeholders'] => {
  const filled = filledBy(columns);
  return placeholders.map(({ name, hasDefault }) => ({ name, hasColumn: filled.has(name), hasDefault }));
};

type Warning = NonNullable<BatchPreview['warnings']>[number];

/** The placeholders of the agent's texts for which the calls would say nothing. */
export const textWarnings = (
  columns: Columns | null,
  { placeholders, impossible = [] }: AgentTexts,
): Warning[] => {
  const filled = filledBy(columns);
  const warning = (code: Warning['code'], message: string): Warning => ({
    code,
    column: null,
    rows: 0,
    firstRow: null,
    message,
  });
  const unfilled = placeholders
    .filter(({ name, hasDefault }) => !hasDefault && !filled.has(name))
    .map(({ name }) =>
      warning(
        'PLACEHOLDER_UNFILLED',
        `no column fills {{${name}}}, and it has no default: choose a column for it, or give it a default`,
      ),
    );
  const problems = new Set(impossible.map(({ message }) => message));
  return [...unfilled, ...[...problems].map((message) => warning('PLACEHOLDER_IMPOSSIBLE', message))];
};
