import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { headers as natsHeaders } from 'nats';
import { playedBroker } from './testing/played-broker.js';
import { encodeReply } from './wire/reply.js';
import { RequestMux } from './wire/request-mux.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const timeoutMs = 3_000;
const data = encodeReply({ data: 'read' });
const refusal = encodeReply({ error: new AppError('UNAUTHENTICATED').toWire() });

const asker = () => {
  const { nats, give, sent } = playedBroker();
  const mux = new RequestMux(nats);
  const ask = (repeats = false) => {
    const reply = mux.newReply('calls-logs');
    const parts = {
      service: 'calls-logs',
      subject: 's',
      payload: Buffer.alloc(0),
      headers: natsHeaders(),
    } as const;
    const asked = mux.request({ ...parts, reply, timeoutMs, repeats });
    return {
      asked,
      answer: (sent = data) => give({ subject: reply, data: Buffer.from(sent) }),
      refuse: () =>
        give({ subject: reply, data: Buffer.alloc(0), headers: natsHeaders(503, 'No Responders') }),
    };
  };
  return { ask, sent };
};

describe('a request whose time is up', () => {
  it('is answered by what arrived while this process was busy', async () => {
    const { asked, answer } = asker().ask();
    jest.advanceTimersToNextTimer();
    answer();
    await expect(asked).resolves.toMatchObject({ data: Buffer.from(data) });
  });

  it('fails when nothing has arrived', async () => {
    const { asked, answer } = asker().ask();
    jest.advanceTimersToNextTimer(2);
    answer();
    await expect(asked).rejects.toMatchObject({ reason: 'timeout' });
  });
});

describe('a request that is repeated', () => {
  it('is sent again after a third of its time and each sixth after that, and fails at the end', async () => {
    const { ask, sent } = asker();
    const failed = expect(ask(true).asked).rejects.toMatchObject({ reason: 'timeout' });
    const counts = [999, 1, 499, 1, 500, 500, 499].map((ms) => {
      jest.advanceTimersByTime(ms);
      return sent.length;
    });
    expect(counts).toEqual([1, 2, 2, 3, 4, 5, 5]);
    jest.advanceTimersByTime(10);
    await failed;
    jest.advanceTimersByTime(10_000);
    expect(sent).toHaveLength(5);
  });

  it('is not sent again once it is answered', async () => {
    const { ask, sent } = asker();
    const { asked, answer } = ask(true);
    jest.advanceTimersByTime(1_100);
    answer();
    await asked;
    jest.advanceTimersByTime(10_000);
    expect(sent).toHaveLength(2);
  });

  it('still waits for the copy that has it when there is no copy for the second sending', async () => {
    const { ask } = asker();
    const { asked, answer, refuse } = ask(true);
    jest.advanceTimersByTime(1_000);
    refuse();
    answer();
    await expect(asked).resolves.toBeDefined();
  });

  it('waits for the answer of a copy that refuses the second sending because it works on the first', async () => {
    const { asked, answer } = asker().ask(true);
    jest.advanceTimersByTime(1_000);
    answer(refusal);
    answer();
    await expect(asked).resolves.toMatchObject({ data: Buffer.from(data) });
  });

  it('ends with an answer that is no reply, too', async () => {
    const { asked, answer } = asker().ask(true);
    jest.advanceTimersByTime(1_000);
    answer('no reply');
    await expect(asked).resolves.toMatchObject({ data: Buffer.from('no reply') });
  });

  it('ends with the refusal of its first sending', async () => {
    const { asked, answer } = asker().ask(true);
    answer(refusal);
    await expect(asked).resolves.toMatchObject({ data: Buffer.from(refusal) });
  });

  it('fails at once when no copy takes the first sending', async () => {
    const { asked, refuse } = asker().ask(true);
    refuse();
    await expect(asked).rejects.toMatchObject({ reason: 'noResponders' });
  });

  it('adds a tenth to the requests at most, however many are not answered', async () => {
    const { ask, sent } = asker();
    const requests = 1_000;
    const failed = Promise.allSettled(Array.from({ length: requests }, () => ask(true).asked));
    jest.advanceTimersByTime(timeoutMs + 10);
    await failed;
    const saved = 100;
    expect(sent.length - requests).toBe(saved);
    // Saved for repetitions, one for every ten.
    const answered = Array.from({ length: 100 }, () => ask(true));
    for (const { answer } of answered) answer();
    await Promise.all(answered.map(({ asked }) => asked));
    const before = sent.length;
    const late = Promise.allSettled(Array.from({ length: 50 }, () => ask(true).asked));
    jest.advanceTimersByTime(timeoutMs + 10);
    await late;
    expect(sent.length - before - 50).toBe(15);
  });
});
