// A recording plays on although the computer's clock is wrong.
import { afterEach, expect, it } from '@jest/globals';
import { noteDate } from '../../data/clock.js';
import { aheadMs, linkIn, msLeftOf } from './recording-link.js';

afterEach(() => noteDate(new Date().toUTCString(), Date.now(), Date.now()));

it('asks for a new link when the old one ends by the clock of the platform', () => {
  const platformNow = Date.now() + 3_600_000;
  noteDate(new Date(platformNow).toUTCString(), Date.now(), Date.now());
  const link = linkIn({
    url: 'https://files.example/1',
    urlExpiresAt: new Date(platformNow + aheadMs + 600_000).toISOString(),
  });
  if (link === undefined) throw new Error('the recording has a link');
  const leftMs = msLeftOf(link);
  expect(leftMs).toBeGreaterThan(590_000);
  expect(leftMs).toBeLessThan(610_000);
});
