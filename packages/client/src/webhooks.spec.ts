import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { verifyWebhook } from './webhooks.js';

const secret = 'a secret of this test';
const payload = JSON.stringify({ id: 'm-1', type: 'call.ended' });
const now = new Date('2026-03-01T10:00:00.000Z');
const timestamp = String(now.getTime() / 1_000);
const signature = `v1,${createHmac('sha256', secret).update(`m-1.${timestamp}.${payload}`).digest('base64')}`;
const verify = (headers: Readonly<Record<string, string | readonly string[] | undefined>>) =>
  verifyWebhook({ payload, headers, secret, now });

describe('the headers of a webhook', () => {
  it.each([
    [(name: string) => name],
    [(name: string) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())],
    [(name: string) => name.toUpperCase()],
  ])('are found in a plain object however their names are written (%#)', async (written) => {
    const headers = {
      [written('webhook-id')]: 'm-1',
      [written('webhook-timestamp')]: timestamp,
      [written('webhook-signature')]: [signature],
    };
    expect(await verify(headers)).toMatchObject({ id: 'm-1' });
  });

  it('are missed where one is absent', async () => {
    await expect(verify({ 'Webhook-Id': 'm-1' })).rejects.toMatchObject({ problem: 'headers_missing' });
  });
});
