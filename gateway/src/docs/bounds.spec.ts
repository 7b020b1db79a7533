import { describe, expect, it } from '@jest/globals';
import { longestMatch, withBounds } from './bounds.js';

describe('longestMatch', () => {
  it.each([
    ['^[A-Za-z0-9_-]{1,128}$', 128],
    ['^x_[A-Za-z0-9_]{1,64}$', 66],
    ['^(?:([01]\\d|2[0-3]):[0-5]\\d|24:00)$', 5],
    ['^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$', 63],
    ['^(?:ab|c){2}$', 4],
    ['^[a-z]+$', undefined],
    ['^(?=a)b{2}$', undefined],
    ['unanchored', undefined],
    ['^a|b$', undefined],
  ])('is for %s %s', (pattern, length) => {
    expect(longestMatch(pattern)).toBe(length);
  });
});

describe('withBounds', () => {
  it('bounds every kind of schema, and keeps the bounds of the contract', () => {
    const schema = {
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid', pattern: '^[0-9a-f]{36}$' },
        text: { type: ['string', 'null'] },
        count: { type: 'integer', minimum: 0 },
        big: { type: 'integer', exclusiveMinimum: 0, maximum: 2 ** 40 },
        list: { type: 'array', maxItems: 3, items: { enum: ['a'], type: 'string' } },
        map: { type: 'object', additionalProperties: { type: 'boolean' } },
        default: { type: 'integer', enum: [8, 16] },
      },
    };
    expect(withBounds(schema)).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid', maxLength: 36 },
        text: { type: ['string', 'null'], pattern: '^[^\\x00]*$', maxLength: 8_388_608 },
        count: { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        big: { type: 'integer', format: 'int64', exclusiveMinimum: 0, maximum: 2 ** 40 },
        list: { type: 'array', maxItems: 3, items: { enum: ['a'], type: 'string' } },
        map: { type: 'object', additionalProperties: { type: 'boolean' }, maxProperties: 1_677_721 },
        default: { type: 'integer', enum: [8, 16], format: 'int32', minimum: 8, maximum: 16 },
      },
    });
  });

  it('leaves values as they are, also where they look like schemas', () => {
    const body = { schema: { type: 'boolean', default: false }, example: { type: 'string' } };
    expect(withBounds(body)).toEqual(body);
  });
});
