import { describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { type CallerNumbers, sharingNumbers } from './caller-numbers.js';

const goodForMs = 2_000;
const answer: CallerNumbers = { number: null, countries: ['US'], goodForMs };

const sharing = (ask: (times: number) => Promise<CallerNumbers> = async () => answer) => {
  const time = { ms: 0, asked: 0 };
  const shared = sharingNumbers(
    () => {
      time.asked += 1;
      return ask(time.asked);
    },
    { now: () => new Date(time.ms) },
  );
  return { time, ask: (fromNumber = '+1') => shared('org', fromNumber) };
};

describe('a promised answer about a caller number', () => {
  it('is shared by attempts while half of its promise lasts, and no longer than it was promised for', async () => {
    const { time, ask } = sharing();
    expect(await ask()).toEqual(answer);
    time.ms = 1_000;
    expect(await ask()).toEqual({ ...answer, goodForMs: 1_000 });
    expect(time.asked).toBe(1);
    time.ms = 1_001;
    expect(await ask()).toEqual(answer);
    expect(time.asked).toBe(2);
  });

  it('counts from before the request that an attempt joins', async () => {
    let reply = (_: CallerNumbers): void => undefined;
    const { time, ask } = sharing(() => new Promise((resolve) => (reply = resolve)));
    const first = ask();
    time.ms = 400;
    const second = ask();
    reply(answer);
    expect([(await first).goodForMs, (await second).goodForMs]).toEqual([2_000, 1_600]);
    expect(time.asked).toBe(1);
  });

  it('belongs to one number, and is not kept when the request fails or the clock is set back', async () => {
    const { time, ask } = sharing(async (times) => {
      if (times === 1) throw new AppError('SERVICE_UNAVAILABLE');
      return answer;
    });
    await expect(ask()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await ask();
    await ask('+2');
    expect(time.asked).toBe(3);
    time.ms = -5_000;
    await ask();
    expect(time.asked).toBe(4);
  });
});
