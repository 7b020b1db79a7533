// The filters of the list in the address.
import { filterWords } from '../../strings/filter-words.js';

type Key<Words> = keyof Words & string;

export interface OutboundSearch {
  readonly agent?: string;
  readonly status?: Key<typeof filterWords.calls.status>;
  readonly mode?: Key<typeof filterWords.outboundCalls.modes>;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const has = <Words extends object>(words: Words, value: unknown): value is Key<Words> =>
  typeof value === 'string' && Object.hasOwn(words, value);

/** The filters in an address; everything else is dropped. */
export const readOutboundSearch = ({ agent, status, mode }: Record<string, unknown>): OutboundSearch => ({
  ...(typeof agent === 'string' && uuid.test(agent) ? { agent } : {}),
  ...(has(filterWords.calls.status, status) ? { status } : {}),
  ...(has(filterWords.outboundCalls.modes, mode) ? { mode } : {}),
});
