import { describe, expect, it } from '@jest/globals';
import { overlapOf, Presence } from './presence.js';

const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('presence', () => {
  it('tells when nobody served: before the first, and between the last death and the next birth', async () => {
    let now = 0;
    const presence = new Presence(() => now);
    const dialer = () => {
      let serve = (): void => undefined;
      let die = (): void => undefined;
      const serving = new Promise<void>((resolve) => {
        serve = resolve;
      });
      const death = new Promise<void>((resolve) => {
        die = resolve;
      });
      presence.watch({ serving, death });
      const at = async (time: number, what: () => void) => {
        now = time;
        what();
        await soon();
      };
      return { serve: (time: number) => at(time, serve), die: (time: number) => at(time, die) };
    };
    const [first, second, third] = [dialer(), dialer(), dialer()];
    await first.serve(10);
    await second.serve(20);
    await first.die(30);
    await second.die(40);
    await third.serve(70);
    await third.die(90);
    now = 100;
    expect(presence.away()).toEqual([
      { from: 0, to: 10 },
      { from: 40, to: 70 },
      { from: 90, to: 100 },
    ]);
  });

  it('does not count one that sleeps, unless another one is awake', async () => {
    let now = 0;
    const presence = new Presence(() => now);
    const dialer = { serving: Promise.resolve(), death: new Promise(() => undefined) };
    const sleepUntil = (time: number): void => {
      const wake = presence.sleep();
      now = time;
      wake();
    };
    presence.watch(dialer);
    await soon();
    now = 10;
    sleepUntil(20);
    presence.watch(dialer);
    await soon();
    sleepUntil(30);
    expect(presence.away()).toEqual([
      { from: 0, to: 0 },
      { from: 10, to: 20 },
    ]);
  });

  it('counts how much of a time it was', () => {
    const away = [
      { from: 0, to: 10 },
      { from: 40, to: 70 },
    ];
    expect(overlapOf(away, { from: 5, to: 50 })).toBe(15);
    expect(overlapOf(away, { from: 10, to: 40 })).toBe(0);
  });
});
