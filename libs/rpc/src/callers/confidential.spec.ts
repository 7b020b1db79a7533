import { describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { CannotOpen } from '@parlance/crypto';
import { CallerKeys } from './caller-keys.js';
import { ConfidentialRequests } from './confidential.js';
import { newInstallation } from './testing/caller-envs.js';

const envOf = newInstallation();
const earlier = new Secret('k'.repeat(32));
const gateway = new ConfidentialRequests(new CallerKeys('gateway', envOf('gateway')));
const service = new ConfidentialRequests(new CallerKeys('tools-secrets', envOf('tools-secrets')));
const place = { subject: 'parlance.rpc.secrets.create', caller: 'token', requestId: 'r1' };
const json = '{"body":{"value":"planted"}}';
const sealed = () => gateway.seal('tools-secrets', place, json);

describe('a confidential request', () => {
  it('is unreadable on its way, and opens at its end', () => {
    const { payload, key } = sealed();
    expect(payload.toString('latin1')).not.toContain('planted');
    expect(service.open(place, new Uint8Array(payload), key)).toBe(json);
  });

  it.each([
    ['another row', { subject: 'parlance.rpc.agents.create' }],
    ['another caller', { caller: 'token of another organization' }],
    ['another request', { requestId: 'r2' }],
  ])('does not open as %s', (_, other) => {
    const { payload, key } = sealed();
    expect(() => service.open({ ...place, ...other }, payload, key)).toThrow(CannotOpen);
  });

  it('opens at no other service, and not at its sender', () => {
    const { payload, key } = sealed();
    const widgets = new ConfidentialRequests(new CallerKeys('widgets', envOf('widgets')));
    for (const other of [widgets, gateway]) expect(() => other.open(place, payload, key)).toThrow(CannotOpen);
  });

  it('does not open without its key, or with one that is damaged', () => {
    const { payload, key } = sealed();
    for (const bad of [undefined, '', 'nonsense', `A${key.slice(1)}`, key.slice(0, -4)])
      expect(() => service.open(place, payload, bad)).toThrow(CannotOpen);
  });

  it('is read by processes with and without CALLER_SIGNING_KEY, whichever of them sent it', () => {
    const both = (name: 'gateway' | 'tools-secrets') =>
      new ConfidentialRequests(new CallerKeys(name, envOf(name)), earlier);
    const transitional = both('gateway').seal('tools-secrets', place, json);
    expect(service.open(place, transitional.payload, transitional.key)).toBe(json);
    // As version 0.1 reads it: with that key, and without the header.
    expect(both('tools-secrets').open(place, transitional.payload, undefined)).toBe(json);
    const { payload, key } = sealed();
    expect(both('tools-secrets').open(place, payload, key)).toBe(json);
  });
});
