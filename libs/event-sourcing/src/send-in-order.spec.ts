import { describe, expect, it } from '@jest/globals';
import { sendInOrder } from './send-in-order.js';

const of = (stream: string, ...numbers: readonly number[]) =>
  numbers.map((n) => ({ stream, message: `${stream}${n}` }));

describe('sendInOrder', () => {
  it('sends a message after the ones before it in its stream are acknowledged, and other streams meanwhile', async () => {
    const log: string[] = [];
    await sendInOrder([...of('a', 1, 2), ...of('b', 1), ...of('a', 3)], async (message) => {
      log.push(`sent ${message}`);
      await Promise.resolve();
      log.push(`acknowledged ${message}`);
    });
    expect(log).toEqual([
      ...['sent a1', 'sent b1', 'acknowledged a1', 'acknowledged b1'],
      ...['sent a2', 'acknowledged a2', 'sent a3', 'acknowledged a3'],
    ]);
  });

  it('sends nothing of a stream behind a message that the broker refused', async () => {
    const sent: string[] = [];
    const sending = sendInOrder([...of('a', 1, 2), ...of('b', 1, 2)], async (message) => {
      sent.push(message);
      if (message === 'a1') throw new Error('refused');
    });
    await expect(sending).rejects.toThrow('refused');
    expect(sent).toEqual(['a1', 'b1']);
  });
});
