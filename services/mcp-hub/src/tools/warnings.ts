// Warnings for a person about the tools of a server. The words are the platform's: a server's own words never reach them, but
// the names of tools and fields.
import { type McpWarning, storableText } from '@parlance/contracts';
import type { IncompleteReason } from '../protocol/pages.js';
import type { Oddity } from './listed-tool.js';

const mostWarnings = 64;

export type WarningCode = Exclude<McpWarning['code'], 'field_mended' | 'more_warnings'>;

const messages: Readonly<Record<WarningCode, string>> = {
  hidden_instructions:
    'Its texts give instructions to a model or hold invisible characters. Approve it before agents get it.',
  name_not_usable: 'Its name has characters that names of tools may not have. It is left out.',
  name_repeated: 'Another tool has the same name. It is left out.',
  description_too_long: 'Its description has more than 8,192 characters. It is left out.',
  schema_too_large: 'Its schemas have more than 64 KiB. It is left out.',
  schema_too_deep: 'Its schemas are nested deeper than 24. It is left out.',
  schema_not_usable: 'The schema of its arguments does not describe an object. It is left out.',
  header_not_usable:
    'It declares a header for an argument in a way that the protocol forbids. It is left out.',
  definition_not_usable: 'This entry of the list is not an object. It is left out.',
  too_many_tools:
    'Its definition is not as the protocol has it, and the server has 256 other tools. It is left out.',
  list_incomplete: 'Tools after those shown are left out, if there are any.',
};

const incompleteBecause: Readonly<Record<IncompleteReason, string>> = {
  repeated_cursor: 'The server gives the same page or the same cursor again.',
  unusable_cursor: 'The cursor of the next page is neither a string nor a number.',
  unusable_page: 'The server refuses its own cursor, or its next page is no list of tools.',
  too_long: 'The list has more than 20 pages, or thousands of tools.',
};

/** A name for people: short, and without invisible characters. */
const shown = (name: string): string => storableText(name).replace(/\p{C}/gu, '').slice(0, 64);

interface Finding {
  /** The name of the tool; empty for the list itself. */
  readonly name: string;
  readonly field: string;
}

export const warning = ({ name, field }: Finding, code: WarningCode): McpWarning => ({
  tool: shown(name),
  code,
  field: shown(field),
  message: messages[code],
});

export const incompleteWarning = (reason: IncompleteReason): McpWarning => {
  const found = warning({ name: '', field: 'nextCursor' }, 'list_incomplete');
  return { ...found, message: `${incompleteBecause[reason]} ${found.message}` };
};

const mostNotes = 4;

export const mendedWarning = (name: string, oddities: readonly Oddity[]): McpWarning[] => {
  const [first] = oddities;
  if (first === undefined) return [];
  const notes = oddities.slice(0, mostNotes).map(({ note }) => note);
  const more = oddities.length > mostNotes ? [`${oddities.length - mostNotes} more fields are odd.`] : [];
  const message = [...notes, ...more, 'The tool can be used.'].join(' ');
  return [{ tool: shown(name), code: 'field_mended', field: first.field, message }];
};

/** What holds a tool back comes first, then what is missing, and last what does no harm. */
const ranks: Partial<Record<McpWarning['code'], number>> = {
  hidden_instructions: 0,
  list_incomplete: 0,
  field_mended: 2,
};
const rankOf = ({ code }: McpWarning): number => ranks[code] ?? 1;

/** The most important warnings, and the number of the others. */
export const bounded = (warnings: readonly McpWarning[]): McpWarning[] => {
  const sorted = warnings.toSorted((a, b) => rankOf(a) - rankOf(b));
  if (sorted.length <= mostWarnings) return sorted;
  const more = sorted.length - mostWarnings + 1;
  const message = `There are ${more} more warnings about the tools of this server.`;
  return [...sorted.slice(0, mostWarnings - 1), { tool: '', code: 'more_warnings', field: 'tools', message }];
};
