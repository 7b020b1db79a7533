import { describe, expect, it } from '@jest/globals';
import { carriedBy, permissionsOf, stateOf } from './key-state.js';

describe('a key', () => {
  it.each([
    [{ disabledReason: null, enabled: true }, 'active'],
    [{ disabledReason: null, enabled: false }, 'off'],
    [{ disabledReason: 'revoked', enabled: false }, 'ended'],
    // A key that fell with its maker is still switched on.
    [{ disabledReason: 'maker_removed', enabled: true }, 'ended'],
  ] as const)('of %j is %s', (key, state) => expect(stateOf(key)).toBe(state));

  it.each([
    [['*'], { kind: 'everything' }],
    [['a:read', 'a:create', 'b:read'], { kind: 'everything' }],
    [['a:read', 'b:read'], { kind: 'reads', count: 2 }],
    [['a:create'], { kind: 'some', count: 1 }],
  ])('with %j says what they come to', (permissions, carried) =>
    expect(carriedBy(permissions, ['a:read', 'a:create', 'b:read'])).toEqual(carried),
  );

  it('asks for no more than its maker may do', () => {
    const own = ['a:read', 'a:create'];
    expect(permissionsOf('reads', ['b:read'], own)).toEqual(['a:read']);
    expect(permissionsOf('all', [], own)).toEqual(['*']);
    expect(permissionsOf('custom', ['a:create'], own)).toEqual(['a:create']);
  });
});
