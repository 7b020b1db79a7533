import { describe, expect, it } from '@jest/globals';
import { jsonOfStored, parseJson, parseStored, stringifyJson, stringifyStored } from './index.js';

describe('stored JSON', () => {
  it.each([
    '{"a":[9007199254740993,-0,1.0,1E400,1E200000,"x"]}',
    '{"a":{"$losslessNumber":"5"}}',
    '{"a":{"$$losslessNumber":[1.0]},"b":{"$losslessNumber":{"$losslessNumber":1.0}}}',
    '{"$losslessNumber":"1","b":1.0}',
    '"$losslessNumber"',
  ])('gives back %s', (text) => {
    const stored = stringifyStored(parseJson(text));
    expect(stringifyJson(parseStored(stored))).toBe(text);
    expect(jsonOfStored(stored)).toBe(text);
  });

  it('of ordinary values is ordinary JSON', () => {
    const value = { a: [1, 'x', null], at: new Date(0) };
    expect(stringifyStored(value)).toBe(JSON.stringify(value));
    expect(jsonOfStored(JSON.stringify(value))).toBe(JSON.stringify(value));
  });

  it('leaves an object alone that only looks like a number', () => {
    expect(parseStored('{"$losslessNumber":"no number"}')).toEqual({ $losslessNumber: 'no number' });
  });
});
