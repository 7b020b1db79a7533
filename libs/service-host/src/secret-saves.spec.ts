import { describe, expect, it } from '@jest/globals';
import { covers, type SecretsOfSave } from './secret-saves.js';

const origin = 'https://hooks.example.com';
const noted: SecretsOfSave = {
  user: { id: 'a', type: 'agent', name: 'Desk' },
  ids: ['1', '2'],
  names: ['TOKEN'],
  uses: [{ origin, ids: ['1'], names: ['TOKEN'] }],
  mayAllow: false,
};

describe('a note of secrets', () => {
  it('covers a save that mentions the same secrets or fewer', () => {
    expect(covers(noted, noted)).toBe(true);
    expect(covers(noted, { ...noted, ids: ['2'], names: [], uses: [] })).toBe(true);
    expect(covers(noted, { ...noted, user: { ...noted.user, name: 'Renamed' } })).toBe(true);
  });

  it('covers no other secret, origin, resource or right', () => {
    expect(covers(noted, { ...noted, ids: ['3'] })).toBe(false);
    expect(covers(noted, { ...noted, names: ['OTHER'] })).toBe(false);
    expect(
      covers(noted, { ...noted, uses: [{ origin: 'https://else.example.com', ids: ['1'], names: [] }] }),
    ).toBe(false);
    expect(covers(noted, { ...noted, uses: [{ origin, ids: ['2'], names: [] }] })).toBe(false);
    expect(covers(noted, { ...noted, user: { ...noted.user, id: 'b' } })).toBe(false);
    expect(covers(noted, { ...noted, mayAllow: true })).toBe(false);
  });
});
