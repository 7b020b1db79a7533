import { describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { CannotOpen } from '@parlance/crypto';
import { ConfidentialRequests } from './confidential.js';

const requests = new ConfidentialRequests(new Secret('k'.repeat(32)));
const place = { subject: 'parlance.rpc.secrets.create', caller: 'token', requestId: 'r1' };
const json = '{"body":{"value":"planted"}}';

describe('a confidential request', () => {
  it('is unreadable on its way, and opens at its end', () => {
    const sealed = requests.seal(place, json);
    expect(sealed.toString('latin1')).not.toContain('planted');
    expect(requests.open(place, new Uint8Array(sealed))).toBe(json);
  });

  it.each([
    ['another row', { subject: 'parlance.rpc.agents.create' }],
    ['another caller', { caller: 'token of another organization' }],
    ['another request', { requestId: 'r2' }],
  ])('does not open as %s', (_, other) => {
    expect(() => requests.open({ ...place, ...other }, requests.seal(place, json))).toThrow(CannotOpen);
  });

  it('does not open with another key', () => {
    const others = new ConfidentialRequests(new Secret('o'.repeat(32)));
    expect(() => others.open(place, requests.seal(place, json))).toThrow(CannotOpen);
  });
});
