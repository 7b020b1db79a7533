// Counts the times that a message was left to other copies: to those of a newer release, or because this one leaves. The broker
// counts such deliveries like tries that failed.
import type { Tx } from './tx.js';

interface Message {
  readonly consumer: string;
  /** Place in the stream of events. */
  readonly sequence: number;
}

export const noteLeft = async (tx: Tx, { consumer, sequence }: Message): Promise<void> => {
  await tx.query({
    name: 'note-left',
    text: `insert into messages_left (consumer, sequence, times) values ($1, $2, 1)
           on conflict (consumer, sequence) do update set times = messages_left.times + 1`,
    values: [consumer, sequence],
  });
};

export const timesLeft = async (tx: Tx, { consumer, sequence }: Message): Promise<number> => {
  const { rows } = await tx.query<{ times: number }>({
    name: 'times-left',
    text: 'select times from messages_left where consumer = $1 and sequence = $2',
    values: [consumer, sequence],
  });
  return rows[0]?.times ?? 0;
};

/** Forgets the count of a message that was handled, or set aside. */
export const forgetLeft = async (tx: Tx, { consumer, sequence }: Message): Promise<void> => {
  await tx.query({
    name: 'forget-left',
    text: 'delete from messages_left where consumer = $1 and sequence = $2',
    values: [consumer, sequence],
  });
};
