import { describe, expect, it } from '@jest/globals';
import { digitsOf, telephoneOf } from './behaviours.js';

describe('the last digits of a number', () => {
  it.each([
    ['00', 'answers'],
    ['59', 'answers'],
    ['60', 'rings-out'],
    ['69', 'rings-out'],
    ['70', 'busy'],
    ['80', 'declines'],
    ['85', 'answers'],
    ['90', 'no-such-number'],
    ['94', 'answers-late'],
    ['96', 'error'],
    ['98', 'hangs-up'],
    ['99', 'answers'],
    ['9903', 'unavailable'],
    ['9980', 'switched-off'],
    ['9983', 'early-media'],
  ])('%s: %s', (digits, plays) => {
    expect(telephoneOf(`+14155550000`.slice(0, -digits.length) + digits).plays).toBe(plays);
  });

  it('tell a voicemail, an answer that is lost, a refusal for haste, and silence apart', () => {
    expect(telephoneOf('+14155550185').says).toBe('greeting-and-beep');
    expect(telephoneOf('+14155550197')).toMatchObject({ plays: 'answers', losesAnswer: true });
    expect(telephoneOf('+14155550195')).toMatchObject({ plays: 'answers', isPacedOnce: true });
    expect(telephoneOf('+14155559900').plays).toBeUndefined();
  });

  it('are spoken by an answering phone, the last four of them', () => {
    expect(digitsOf('+14155550123')).toBe('0123');
  });
});
