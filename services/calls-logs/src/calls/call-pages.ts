// Pages of the call log: the index gives the ids of the calls on a page, and this file their shown content.
import type { CallLog } from '@parlance/contracts';
import { toCallLog } from '../call/call-log.js';
import type { Parts } from '../parts.js';
import { type CallFilter, type CallPage, type IndexedCall, listCalls } from '../read-models/call-index.js';
import { termsOf } from '../read-models/call-search.js';
import { searchFrom } from '../read-models/search-terms.js';
import { webhooksAbout, withWebhooks } from '../webhooks/about-calls.js';
import { CallsAhead } from './calls-ahead.js';

const earliest = '0001-01-01T00:00:00Z';

/** The database knows no moment before the year 1, and nothing happened before it. */
const storable = (moment: string | undefined): string | undefined =>
  moment !== undefined && Date.parse(moment) < Date.parse(earliest) ? earliest : moment;

type Needed = Pick<Parts, 'db' | 'documents' | 'calls' | 'recordings' | 'personalData'>;

/** The filters of a reader. */
export interface AskedFilter extends Omit<CallFilter, 'search'> {
  /** A number or its last digits, an id, or a name. */
  readonly search?: string | undefined;
}

export class CallPages {
  readonly #parts: Needed;
  readonly #ahead: CallsAhead;

  constructor(parts: Needed) {
    this.#parts = parts;
    this.#ahead = new CallsAhead(parts.calls.handle.load);
  }

  /** Newest first. */
  async find(organizationId: string, asked: AskedFilter, page: CallPage): Promise<IndexedCall[]> {
    const { db, personalData } = this.#parts;
    const { search: text, ...filter } = asked;
    const search =
      text === undefined ? undefined : await termsOf(personalData, organizationId, searchFrom(text));
    const bounded = { ...filter, search, from: storable(filter.from), to: storable(filter.to) };
    return listCalls(db, organizationId, bounded, page);
  }

  /**
   * The entries come from documents where these are as new as the index, else from the stream. So a page never
   * contradicts itself.
   */
  async logsOf(organizationId: string, page: readonly IndexedCall[]): Promise<CallLog[]> {
    const callIds = page.map(({ callId }) => callId);
    const [documents, about] = await Promise.all([
      this.#parts.documents.find(organizationId, callIds),
      webhooksAbout(this.#parts.db, organizationId, callIds),
    ]);
    const known = new Map(documents.map((document) => [document.callId, document]));
    const logs = page.map(async ({ callId, revision }) => {
      const document = known.get(callId);
      const isCurrent = document !== undefined && document.revision >= revision;
      const call = isCurrent ? document.call : await this.#ahead.atLeast(callId, revision);
      const isShown =
        call.phase !== 'absent' &&
        call.deletedAt === null &&
        call.description.organizationId === organizationId;
      if (!isShown) return [];
      return [withWebhooks(this.#parts.recordings.listed(toCallLog(callId, call)), about.get(callId))];
    });
    return (await Promise.all(logs)).flat();
  }
}
