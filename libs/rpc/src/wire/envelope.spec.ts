import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeEnvelope, type EnvelopeHead, encodeEnvelope, isEnvelope } from './envelope.js';

const key = createSecretKey(randomBytes(32));
const place = { subject: 'parlance.rpc.agents-config.agents.create', reply: '_INBOX.a.1' };
const head: EnvelopeHead = {
  issuer: 'gateway',
  sentAt: 1_767_225_600_000,
  deadline: 1_767_225_603_000,
  requestId: 'r1',
  commandId: 'c1',
  caller: { organizationId: 'org_1', actor: { type: 'key', id: 'k1' }, role: 'key', permissions: [] },
  trace: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
};
const payload = JSON.stringify({ body: { name: 'Žižkov ☎' } });

describe('an envelope', () => {
  it('carries its head and its payload, as text or as bytes', () => {
    for (const sent of [payload, Buffer.from(payload), randomBytes(64), '']) {
      const bytes = encodeEnvelope(key, place, head, sent);
      expect(isEnvelope(bytes)).toBe(true);
      const envelope = decodeEnvelope(bytes);
      expect(envelope?.head).toEqual(head);
      expect(envelope?.payload).toEqual(Buffer.from(sent));
      expect(envelope?.isFrom(key, place)).toBe(true);
    }
  });

  it('is not from another key, to another subject, or for another reply', () => {
    const envelope = decodeEnvelope(encodeEnvelope(key, place, head, payload));
    expect(envelope?.isFrom(createSecretKey(randomBytes(32)), place)).toBe(false);
    for (const other of [{ subject: 'parlance.rpc.agents-config.agents.delete' }, { reply: '_INBOX.eve.1' }])
      expect(envelope?.isFrom(key, { ...place, ...other })).toBe(false);
  });

  it('does not verify, or is not read, when any of its bytes is changed', () => {
    const bytes = encodeEnvelope(key, place, head, payload);
    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(isEnvelope(changed) && (decodeEnvelope(changed)?.isFrom(key, place) ?? false)).toBe(false);
    }
  });

  it('is not read when it is cut short, or has a head of another form', () => {
    const bytes = encodeEnvelope(key, place, head, '');
    expect(decodeEnvelope(bytes.subarray(0, -1))).toBeUndefined();
    const { caller, ...rest } = head;
    expect(decodeEnvelope(encodeEnvelope(key, place, rest as EnvelopeHead, payload))).toBeUndefined();
    expect(caller).toBeDefined();
  });

  it('is told from a payload of JSON and from none', () => {
    for (const data of [Buffer.from(payload), Buffer.alloc(0), Buffer.alloc(200, ' ')])
      expect(isEnvelope(data)).toBe(false);
  });
});
