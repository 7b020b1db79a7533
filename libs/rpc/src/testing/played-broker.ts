// A connection to a broker that the test plays: it sees each request, and gives the answers.
import type { Msg, NatsConnection, PublishOptions, SubscriptionOptions } from 'nats';

export interface SentRequest {
  readonly subject: string;
  readonly reply: string | undefined;
}

export const playedBroker = () => {
  let deliver: SubscriptionOptions['callback'];
  const sent: SentRequest[] = [];
  const nats = {
    isClosed: () => false,
    isDraining: () => false,
    publish: (subject: string, _payload: Uint8Array, { reply }: PublishOptions = {}) => {
      sent.push({ subject, reply });
    },
    status: async function* () {
      await new Promise(() => undefined);
    },
    subscribe: (_subject: string, { callback }: SubscriptionOptions) => {
      deliver = callback;
    },
  };
  const give = (message: object) => deliver?.(null, message as Msg);
  return { nats: nats as unknown as NatsConnection, give, sent }; // all that requests use
};
