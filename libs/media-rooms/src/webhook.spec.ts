import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { AccessToken } from 'livekit-server-sdk';
import { createWebhookVerifier } from './webhook.js';

const now = new Date();
const bodyAt = (at: Date): Buffer =>
  Buffer.from(
    JSON.stringify({
      event: 'participant_left',
      id: 'EV_1',
      createdAt: String(Math.floor(at.getTime() / 1_000)),
      room: { name: 'ob_1', sid: 'RM_1', metadata: '{"callId":"c"}' },
      participant: {
        identity: 'pstn_1',
        kind: 'SIP',
        attributes: { 'sip.callStatus': 'hangup' },
        disconnectReason: 'USER_REJECTED',
      },
      unheardOf: true,
    }),
  );

const signed = async (body: Buffer, secret = 'secret', key = 'key'): Promise<string> => {
  const token = new AccessToken(key, secret, { ttl: '5m' });
  token.sha256 = createHash('sha256').update(body).digest('base64');
  return token.toJwt();
};

const verify = createWebhookVerifier('key', 'secret', () => now);
const body = bodyAt(now);
const refused = { code: 'INVALID_SIGNATURE' };

describe('a webhook of the media server', () => {
  it('becomes an event that says what happened to whom', async () => {
    expect(await verify(body, await signed(body))).toEqual({
      id: 'EV_1',
      type: 'participant_left',
      at: new Date(Math.floor(now.getTime() / 1_000) * 1_000).toISOString(),
      room: { name: 'ob_1', sid: 'RM_1', metadata: '{"callId":"c"}' },
      participant: {
        identity: 'pstn_1',
        kind: 'sip',
        attributes: { 'sip.callStatus': 'hangup' },
        disconnectReason: 'USER_REJECTED',
      },
    });
  });

  it.each([
    ['names', 'HOLOGRAM', 'CALLEE_AWAY'],
    ['numbers', 99, 99],
  ])(
    'of a newer protocol is understood as far as it goes, with %s that this release does not know',
    async (_, kind, reason) => {
      const event = JSON.parse(body.toString());
      const participant = { ...event.participant, kind, disconnectReason: reason, state: 'FLOATING' };
      const newer = Buffer.from(JSON.stringify({ ...event, event: 'participant_moved', participant }));
      expect(await verify(newer, await signed(newer))).toMatchObject({
        ...{ type: 'participant_moved', room: { name: 'ob_1' } },
        participant: { identity: 'pstn_1', disconnectReason: null },
      });
    },
  );

  it('is refused without signature, with another key, or for another body', async () => {
    await expect(verify(body, undefined)).rejects.toMatchObject(refused);
    await expect(verify(body, 'nonsense')).rejects.toMatchObject(refused);
    await expect(verify(body, await signed(body, 'other'))).rejects.toMatchObject(refused);
    await expect(verify(body, await signed(body, 'secret', 'otherKey'))).rejects.toMatchObject(refused);
    await expect(verify(body, await signed(Buffer.from('{}')))).rejects.toMatchObject(refused);
  });

  it('is refused when it is more than five minutes old or ahead, however well it is signed', async () => {
    for (const minutes of [-6, 6]) {
      const shifted = bodyAt(new Date(now.getTime() + minutes * 60_000));
      await expect(verify(shifted, await signed(shifted))).rejects.toMatchObject(refused);
    }
  });
});
