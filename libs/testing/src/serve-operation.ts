// Plays a neighbour: answers one subject as its service would.
import { type Callable, subjectOf } from '@parlance/contracts';
import type { Outcome } from '@parlance/rpc';
import type { Msg, MsgHdrs, NatsConnection } from 'nats';

/** One request to the neighbour. */
export interface Asked {
  readonly input: { readonly params: unknown; readonly query: unknown; readonly body: unknown };
  readonly headers: MsgHdrs | undefined;
  readonly message: Msg;
}

/** The neighbour cannot open the request of a confidential row: it sees no input, as a listener on the broker would. */
const sealedInput: Asked['input'] = { params: undefined, query: undefined, body: undefined };

export interface ServedOperation {
  /** Everything it was asked so far. */
  readonly asked: Asked[];
  stop(): void;
}

/** Resolves when the broker knows of it. An `answer` of undefined is silence: the asker waits until its time is up. */
export const serveOperation = async (
  nats: NatsConnection,
  row: Callable,
  answer: (asked: Asked) => Outcome | undefined | Promise<Outcome | undefined>,
): Promise<ServedOperation> => {
  // Brings Nest with it, which most test files do without.
  const { encodeReply } = await import('@parlance/rpc');
  const asked: Asked[] = [];
  const reply = async (one: Asked): Promise<string | undefined> => {
    const outcome = await answer(one);
    return outcome && encodeReply(outcome);
  };
  const subscription = nats.subscribe(subjectOf(row), {
    callback: (_error, message) => {
      const isSealed = message.headers?.has('x-sealed') === true;
      const input = isSealed ? sealedInput : message.json<Asked['input']>();
      const one = { input, headers: message.headers, message };
      asked.push(one);
      void reply(one).then((text) => text !== undefined && message.respond(text));
    },
  });
  await nats.flush();
  return { asked, stop: () => subscription.unsubscribe() };
};
