// The call log as a file, page after page: its memory is that of a few pages, however many calls there are.
import type { contract, StreamEvent } from '@parlance/contracts';
import type { AskedFilter, CallPages } from '../calls/call-pages.js';
import type { IndexedCall } from '../read-models/call-index.js';
import { callTable } from './call-table.js';

export const mostRows = 1_000_000;
/** Some hundred kilobytes of text, which the broker takes as one message. */
const rowsAtOnce = 500;

export interface CallsToExport {
  readonly pages: Pick<CallPages, 'find' | 'logsOf'>;
  readonly organizationId: string;
  readonly filter: AskedFilter;
  /** Ends the file early; the sent part is then no file. */
  readonly signal: AbortSignal;
}

type Piece = StreamEvent<(typeof contract)['callsExport']>;

const piece = (text: string): Piece => ({ event: 'text', data: { text } });

/** The header, then calls, newest first. Calls that begin meanwhile are not in the file. */
export async function* exportCalls({
  pages,
  organizationId,
  filter,
  signal,
}: CallsToExport): AsyncGenerator<Piece> {
  yield piece(callTable.header);
  let after: IndexedCall | undefined;
  for (let rows = 0; rows < mostRows; rows += rowsAtOnce) {
    signal.throwIfAborted();
    const page = await pages.find(organizationId, filter, { after, limit: rowsAtOnce });
    const text = callTable.lines(await pages.logsOf(organizationId, page));
    if (text !== '') yield piece(text);
    after = page.at(-1);
    if (page.length < rowsAtOnce) return;
  }
}
