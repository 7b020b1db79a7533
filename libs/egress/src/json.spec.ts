import { describe, expect, it } from '@jest/globals';
import { parseForeignJson } from './json.js';

const parse = (text: string): unknown => parseForeignJson(Buffer.from(text));
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('JSON from outside', () => {
  it('is read', () => {
    expect(parse('{"a":[1,"}]\\"[",{"b":null}]}')).toEqual({ a: [1, '}]"[', { b: null }] });
  });

  it('is refused when it is nested too deeply, or is not JSON', () => {
    expect(parse(nested(32))).toBeDefined();
    for (const text of [nested(33), nested(100_000), '{"a":'.repeat(50_000), '', '<html>', '{"a":1}}'])
      expect(() => parse(text)).toThrow(expect.objectContaining({ reason: 'bad_response' }));
  });

  it('cannot change what an object is', () => {
    const value = parse('{"__proto__":{"admin":true},"a":{"__proto__":{"admin":true},"b":1}}');
    expect(value).toEqual({ a: { b: 1 } });
    expect(Object.assign({}, value)).not.toHaveProperty('admin');
  });
});
