import { describe, expect, it } from '@jest/globals';
import {
  effectivePermissions,
  generateApiKey,
  keyPermissions,
  listedPermissions,
  looksLikeApiKey,
  shownLength,
  storedPermissions,
} from './api-key-format.js';

describe('an API key', () => {
  it('is parl_<environment>_<12>_<43> in base62, never the same twice', () => {
    const keys = Array.from({ length: 200 }, () => generateApiKey('live'));
    for (const key of keys) {
      expect(key).toMatch(/^parl_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/);
      expect(looksLikeApiKey(key)).toBe(true);
    }
    expect(new Set(keys).size).toBe(200);
  });

  it('shows its first fourteen characters', () => {
    expect(shownLength('live')).toBe('parl_live_ab12'.length);
  });

  it.each(['', 'parl_live_short_x', `${generateApiKey('live')}x`, ` ${generateApiKey('live')}`, 'Bearer x'])(
    'is not %j',
    (text) => {
      expect(looksLikeApiKey(text)).toBe(false);
    },
  );
});

describe('permissions of a key', () => {
  it('come back from the column as they were given', () => {
    for (const listed of [['*'], ['agent:read', 'agent:create', 'callLogs:read']])
      expect(listedPermissions(JSON.stringify(storedPermissions(listed)))).toEqual(listed);
    expect(listedPermissions(null)).toEqual([]);
  });

  it('never reach what takes a person, however they are written', () => {
    for (const listed of [['*'], ['billing:manage', 'phoneNumber:update', 'phoneNumber:delete']]) {
      const granted = effectivePermissions(listed);
      expect(granted).not.toContain('billing:manage');
      expect(granted).not.toContain('phoneNumber:update');
      expect(granted).not.toContain('phoneNumber:delete');
    }
    expect(effectivePermissions(['*'])).toEqual(keyPermissions);
    expect(effectivePermissions(['nothing:ever', 'agent:read'])).toEqual(['agent:read']);
  });
});
