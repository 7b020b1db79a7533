// The messages that a NATS server takes, by the beginning of their subject.
import { connect } from 'nats';

/** `$JS.API.CONSUMER.INFO.x` counts as `$JS.API.CONSUMER.INFO`, other subjects by their first two tokens, and inboxes as one. */
const groupOf = (subject: string): string => {
  if (subject.startsWith('_INBOX')) return 'answers';
  const tokens = subject.split('.');
  return tokens.slice(0, tokens[0] === '$JS' ? 4 : 2).join('.');
};

export interface CountedMessages<T> {
  /** By the beginning of the subject, the most frequent first. */
  readonly messages: readonly (readonly [string, number])[];
  readonly result: T;
}

/** Runs the work and counts the messages that anybody publishes meanwhile. @param url of the administrator */
export const countMessages = async <T>(url: string, work: () => Promise<T>): Promise<CountedMessages<T>> => {
  const { host, username, password } = new URL(url);
  const connection = await connect({ servers: host, user: username, pass: decodeURIComponent(password) });
  const counts = new Map<string, number>();
  connection.subscribe('>', {
    callback: (_error, { subject }) => {
      const group = groupOf(subject);
      counts.set(group, (counts.get(group) ?? 0) + 1);
    },
  });
  try {
    await connection.flush();
    const result = await work();
    return { messages: [...counts].sort(([, a], [, b]) => b - a), result };
  } finally {
    await connection.close();
  }
};
