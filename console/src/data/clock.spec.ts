// Times are told by the platform's clock.
import { afterEach, describe, expect, it } from '@jest/globals';
import { noteDate, now } from './clock.js';

const hour = 3_600_000;
const near = (expected: number): void => expect(Math.abs(now() - expected)).toBeLessThan(2_000);
const header = (at: number): string => new Date(at).toUTCString();

describe('the clock of a page', () => {
  afterEach(() => noteDate(header(Date.now()), Date.now(), Date.now()));

  it.each([
    ['an hour late', hour],
    ['an hour early', -hour],
    ['a day late', 24 * hour],
  ])('is right on a computer that is %s', (_, ahead) => {
    noteDate(header(Date.now() + ahead), Date.now(), Date.now());
    near(Date.now() + ahead);
  });

  it('keeps the own time for the seconds that an answer takes', () => {
    noteDate(header(Date.now() + 4_000), Date.now() - 3_000, Date.now());
    near(Date.now());
  });

  it('learns nothing from an answer without a date', () => {
    noteDate(header(Date.now() + hour), Date.now(), Date.now());
    noteDate(null, 0, 0);
    noteDate('yesterday', 0, 0);
    near(Date.now() + hour);
  });
});
