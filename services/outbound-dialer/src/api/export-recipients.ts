// The people of a campaign as a file, page after page: its memory is that of a few pages, however many people there are.
import type { CampaignRecipient, contract, StreamEvent } from '@parlance/contracts';
import { csvTable } from '@parlance/csv';

type Piece = StreamEvent<(typeof contract)['outboundCallsExportRecipients']>;

/** Some hundred kilobytes of text, which the broker takes as one message. */
const rowsAtOnce = 500;

export const recipientTable = csvTable<CampaignRecipient>({
  rowNumber: ({ rowNumber }) => rowNumber,
  phoneNumber: ({ phoneNumber }) => phoneNumber,
  name: ({ name }) => name,
  state: ({ state }) => state,
  reasonCode: ({ reason }) => reason?.code ?? null,
  reason: ({ reason }) => reason?.message ?? null,
  attempts: ({ attempts }) => attempts,
  nextAttemptAt: ({ nextAttemptAt }) => nextAttemptAt,
  outboundCallId: ({ outboundCallId }) => outboundCallId,
  callId: ({ callId }) => callId,
  costMicros: ({ costMicros }) => costMicros,
  updatedAt: ({ updatedAt }) => updatedAt,
  timezones: ({ timezones }) => timezones.join(' '),
  variables: ({ variables }) => JSON.stringify(variables),
});

const piece = (text: string): Piece => ({ event: 'text', data: { text } });

/**
 * The header, then all people in the order of the file.
 * @param find up to so many people after a row
 * @param signal ends the file early; the sent part is then no file
 */
export async function* exportRecipients(
  find: (page: { readonly after: number; readonly limit: number }) => Promise<readonly CampaignRecipient[]>,
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  yield piece(recipientTable.header);
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const people = await find({ after, limit: rowsAtOnce });
    if (people.length > 0) yield piece(recipientTable.lines(people));
    const last = people.at(-1);
    if (last === undefined || people.length < rowsAtOnce) return;
    after = last.rowNumber;
  }
}
