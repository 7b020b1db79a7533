// The pages of a list of tools. A list that goes wrong after its first page is incomplete, and not lost.
import { ProtocolError } from '@modelcontextprotocol/client';
import { McpFailure } from './failures.js';
import { isObject } from './json.js';

export interface Listing {
  /** Of any type: nothing but their place in the list is known of them. */
  readonly tools: readonly unknown[];
  /** Why there may be more tools; undefined for a list that came to its end. */
  readonly incomplete: IncompleteReason | undefined;
}

export type IncompleteReason = 'repeated_cursor' | 'unusable_cursor' | 'unusable_page' | 'too_long';

type Cursor = string;

const mostPages = 20;
/** No page is asked for after so many tools, of which few can be used. */
const mostListed = 2_560;

interface Page {
  readonly tools: readonly unknown[];
  readonly nextCursor: unknown;
}

/** Undefined for an answer that is no page of a list. Null is how some languages write a list without elements. */
const asPage = (answer: unknown): Page | undefined => {
  if (!isObject(answer)) return undefined;
  const { tools, nextCursor } = answer;
  if (tools === null) return { tools: [], nextCursor };
  return Array.isArray(tools) ? { tools, nextCursor } : undefined;
};

const nameOf = (tool: unknown): unknown => (isObject(tool) ? tool.name : tool);

/** Some servers number their pages. The cursor goes back as it came. */
const isCursor = (value: unknown): value is Cursor => typeof value === 'string' || typeof value === 'number';

const isEnd = (nextCursor: unknown): boolean => nextCursor === undefined || nextCursor === null;

/**
 * @param fetchPage the answer of the server for a cursor, and for the first page without one
 * @throws McpFailure when the first answer is no page; what `fetchPage` throws, but a refusal of a cursor
 */
export const readPages = async (
  fetchPage: (cursor: Cursor | undefined) => Promise<unknown>,
): Promise<Listing> => {
  const first = asPage(await fetchPage(undefined));
  if (first === undefined) throw new McpFailure('bad_response');
  const tools = [...first.tools];
  const names = new Set(first.tools.map(nameOf));
  const cursors = new Set<unknown>();
  const ended = (incomplete?: IncompleteReason): Listing => ({ tools, incomplete });
  let { nextCursor } = first;
  for (let pages = 1; !isEnd(nextCursor); pages += 1) {
    if (!isCursor(nextCursor)) return ended('unusable_cursor');
    if (cursors.has(nextCursor)) return ended('repeated_cursor');
    if (pages === mostPages || tools.length > mostListed) return ended('too_long');
    // An empty cursor is valid, but most servers that send it mean that there is none.
    const isUnsure = nextCursor === '';
    cursors.add(nextCursor);
    const page = await fetchPage(nextCursor).then(asPage, (error: unknown) => {
      if (error instanceof ProtocolError) return undefined;
      throw error;
    });
    if (page === undefined) return ended(isUnsure ? undefined : 'unusable_page');
    // A server that takes no cursor answers its first page again.
    const isRepeated = page.tools.length > 0 && page.tools.every((tool) => names.has(nameOf(tool)));
    if (isRepeated) return ended(isUnsure ? undefined : 'repeated_cursor');
    for (const tool of page.tools) names.add(nameOf(tool));
    tools.push(...page.tools);
    ({ nextCursor } = page);
  }
  return ended();
};
