// Publishes the messages of a batch. Streams are sent side by side. The messages of one stream follow each other, so a message that
// the broker did not take is never behind a later one of its stream.

export interface Announcement<M> {
  readonly stream: string;
  readonly message: M;
}

/** The first message of each stream, and the others. */
const split = <M>(announced: readonly Announcement<M>[]) => {
  const streams = new Set<string>();
  const first: Announcement<M>[] = [];
  const others: Announcement<M>[] = [];
  for (const one of announced) {
    (streams.has(one.stream) ? others : first).push(one);
    streams.add(one.stream);
  }
  return { first, others };
};

/**
 * Resolves when every message is acknowledged.
 * @throws as `publish` does, once the other messages that were sent at the same time are settled
 */
export const sendInOrder = async <M>(
  announced: readonly Announcement<M>[],
  publish: (message: M) => Promise<void>,
): Promise<void> => {
  for (let left = announced; left.length > 0; ) {
    const { first, others } = split(left);
    const ends = await Promise.allSettled(first.map(({ message }) => publish(message)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    left = others;
  }
};
