import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Msg, type NatsConnection, headers as natsHeaders, type SubscriptionOptions } from 'nats';
import { RequestMux } from './request-mux.js';

/** A connection whose answers the test delivers. */
const connection = () => {
  let deliver: SubscriptionOptions['callback'];
  const nats = {
    isClosed: () => false,
    isDraining: () => false,
    publish: () => undefined,
    status: async function* () {},
    subscribe: (_subject: string, { callback }: SubscriptionOptions) => {
      deliver = callback;
    },
  };
  return {
    nats: nats as unknown as NatsConnection, // all that the mux uses
    answer: (subject: string) => deliver?.(null, { subject, data: Buffer.from('{}') } as unknown as Msg),
  };
};

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const asking = () => {
  const { nats, answer } = connection();
  const mux = new RequestMux(nats);
  const reply = mux.newReply('calls-logs');
  const headers = natsHeaders();
  const asked = mux.request({
    ...{ service: 'calls-logs', subject: 's', reply, payload: Buffer.alloc(0), headers, timeoutMs: 3_000 },
  });
  return { asked, answer: () => answer(reply) };
};

describe('a request whose time is up', () => {
  it('is answered by what arrived while this process was busy', async () => {
    const { asked, answer } = asking();
    jest.advanceTimersToNextTimer();
    answer();
    await expect(asked).resolves.toMatchObject({ data: Buffer.from('{}') });
  });

  it('fails when nothing has arrived', async () => {
    const { asked, answer } = asking();
    jest.advanceTimersToNextTimer(2);
    answer();
    await expect(asked).rejects.toMatchObject({ reason: 'timeout' });
  });
});
