import { describe, expect, it } from '@jest/globals';
import { differences } from './differences.js';
import type { Definitions, Schema } from './json-schema.js';

const ask = (sent: Schema, taken: Schema, ignoresUnknown = false, definitions: Definitions = {}) =>
  differences({ sent: { schema: sent, definitions }, taken: { schema: taken, definitions }, ignoresUnknown });

const text: Schema = { type: 'string' };
const object = (
  properties: Record<string, Schema>,
  required: readonly string[] = [],
  more: Schema = {},
): Schema => ({
  ...{ type: 'object', properties, required },
  ...more,
});
const strict: Schema = { additionalProperties: false };

describe('nothing is told of', () => {
  it.each<[string, Schema, Schema]>([
    ['the same thing', object({ a: text }, ['a']), object({ a: text }, ['a'])],
    ['a field that became optional for the receiver', object({ a: text }, ['a']), object({ a: text })],
    ['a further value that the receiver knows', { enum: ['a'] }, { enum: ['a', 'b'] }],
    ['one value out of a list', { type: 'string', const: 'a' }, { type: 'string', enum: ['a', 'b'] }],
    ['a list of values where any text is taken', { type: 'string', enum: ['a', 'b'] }, text],
    ['a whole number where any is taken', { type: 'integer' }, { type: 'number' }],
    ['a tighter limit at the sender', { type: 'string', maxLength: 5 }, { type: 'string', maxLength: 9 }],
    ['null among what is taken', text, { anyOf: [text, { type: 'null' }] }],
    ['two types in another form', { type: ['string', 'null'] }, { anyOf: [text, { type: 'null' }] }],
    ['a field that an open receiver does not know', object({ a: text, b: text }), object({ a: text })],
    ['anything at all where anything is taken', { type: ['string', 'null'] }, {}],
    [
      'a record where a record is taken',
      object({}, [], { additionalProperties: text }),
      { type: 'object', additionalProperties: text },
    ],
  ])('%s', (_, sent, taken) => expect(ask(sent, taken)).toEqual([]));

  it('a field that a receiver does not know and leaves alone', () => {
    expect(ask(object({ a: text, b: text }), object({ a: text }, [], strict), true)).toEqual([]);
  });

  it('a schema that names itself', () => {
    const tree: Schema = { type: 'object', properties: { next: { $ref: '#/$defs/Tree' } }, required: [] };
    expect(ask({ $ref: '#/$defs/Tree' }, { $ref: '#/$defs/Tree' }, false, { Tree: tree })).toEqual([]);
  });
});

describe('a line is told of', () => {
  it.each<[string, Schema, Schema, string]>([
    [
      'a field that is required and may be absent',
      object({ a: text }),
      object({ a: text }, ['a']),
      '.a: may be absent, and is required',
    ],
    [
      'a field that a strict receiver does not know',
      object({ b: text }),
      object({}, [], strict),
      '.b: is not known',
    ],
    ['a type', object({ a: { type: 'number' } }), object({ a: text }), '.a: number is not string'],
    ['a number that need not be whole', { type: 'number' }, { type: 'integer' }, ': number is not integer'],
    ['null', { anyOf: [text, { type: 'null' }] }, text, ': null is not string'],
    ['anything', {}, text, ': anything is not string'],
    ['a value', { enum: ['a', 'b'] }, { enum: ['a'] }, ': "b" is not known'],
    [
      'any text where values are listed',
      text,
      { type: 'string', enum: ['a'] },
      ': any string is not one of a list',
    ],
    ['a value of another type', { enum: ['a', 7] }, text, ': integer is not string'],
    [
      'a longer text',
      { type: 'string', maxLength: 9 },
      { type: 'string', maxLength: 5 },
      ': maxLength 9 is beyond 5',
    ],
    ['a text without limit', text, { type: 'string', maxLength: 5 }, ': maxLength none is beyond 5'],
    ['an empty text', text, { type: 'string', minLength: 1 }, ': minLength none is beyond 1'],
    [
      'a value that is too long',
      { enum: ['abc', 'a'] },
      { type: 'string', maxLength: 2 },
      ': maxLength 3 is beyond 2',
    ],
    [
      'a larger number',
      { type: 'integer', maximum: 9 },
      { type: 'integer', maximum: 5 },
      ': maximum 9 is beyond 5',
    ],
    ['a smaller number', { type: 'integer' }, { type: 'integer', minimum: 0 }, ': minimum none is beyond 0'],
    [
      'more items',
      { type: 'array', items: text, maxItems: 9 },
      { type: 'array', items: text, maxItems: 5 },
      ': maxItems 9 is beyond 5',
    ],
    [
      'an item',
      { type: 'array', items: { type: 'number' } },
      { type: 'array', items: text },
      '[]: number is not string',
    ],
    [
      'a place of a tuple',
      { type: 'array', prefixItems: [text, text] },
      { type: 'array', prefixItems: [text, { type: 'null' }] },
      '[1]: string is not null',
    ],
    ['a form of text', text, { type: 'string', format: 'uuid' }, ': format none is not uuid'],
    [
      'a pattern',
      { type: 'string', pattern: '^a' },
      { type: 'string', pattern: '^b' },
      ': pattern ^a is not ^b',
    ],
    [
      'a value of a record',
      { type: 'object', additionalProperties: { type: 'number' } },
      { type: 'object', additionalProperties: text },
      '.*: number is not string',
    ],
    [
      'a name of a record',
      { type: 'object', additionalProperties: text },
      { type: 'object', additionalProperties: text, propertyNames: { type: 'string', maxLength: 3 } },
      '.<name>: anything is not string',
    ],
    [
      'a field of a part of an intersection',
      { allOf: [object({ a: text }), object({ b: text })] },
      object({ b: { type: 'number' } }),
      '.b: string is not number',
    ],
  ])('%s', (_, sent, taken, line) => expect(ask(sent, taken)).toEqual([line]));

  it('a definition behind a reference', () => {
    const sent = { schema: { $ref: '#/$defs/A' }, definitions: { A: object({ a: text }) } };
    const taken = { schema: { $ref: '#/$defs/A' }, definitions: { A: object({ a: text }, ['a']) } };
    expect(differences({ sent, taken, ignoresUnknown: false })).toEqual([
      '.a: may be absent, and is required',
    ]);
  });

  it('the nearest of several that are taken', () => {
    const taken: Schema = {
      anyOf: [
        object({ type: { const: 'one' }, a: text }, ['type', 'a']),
        object({ type: { const: 'two' }, b: text, c: text }, ['type', 'b', 'c']),
      ],
    };
    const sent = object({ type: { const: 'one' } }, ['type']);
    expect(ask(sent, taken)).toEqual(['.a: may be absent, and is required']);
  });
});
