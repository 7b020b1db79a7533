import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { forModel, resultOf } from './results.js';

const read = (result: unknown) => resultOf({ kind: 'result', result });
const text = (value: string) => ({ type: 'text', text: value });

describe('resultOf', () => {
  it.each<[string, unknown, object]>([
    ['content that is absent', {}, { content: [] }],
    ['content that is null', { content: null }, { content: [] }],
    ['content that is a string', { content: 'sent' }, { content: [text('sent')] }],
    ['content that is one part', { content: text('sent') }, { content: [text('sent')] }],
    ['a part that is a string', { content: ['sent'] }, { content: [text('sent')] }],
    ['a part that is null', { content: [null, text('sent')] }, { content: [text('sent')] }],
    ['a part that is a number', { content: [7] }, { content: [text('7')] }],
    ['a text that is absent', { content: [{ type: 'text' }] }, { content: [text('')] }],
    ['a text that is null', { content: [{ type: 'text', text: null }] }, { content: [text('')] }],
    [
      'a text that is an object',
      { content: [{ type: 'text', text: { a: 1 } }] },
      { content: [text('{"a":1}')] },
    ],
    ['a part without a kind', { content: [{ text: 'sent' }] }, { content: [text('sent')] }],
    ['a part without a kind and a text', { content: [{ a: 1 }] }, { content: [text('{"a":1}')] }],
    [
      'a part of an unknown kind',
      { content: [{ type: 'map', at: [1, 2] }] },
      { content: [{ type: 'map', at: [1, 2] }] },
    ],
    ['an image without data', { content: [{ type: 'image' }] }, { content: [{ type: 'image' }] }],
    ['a result that is a string', 'sent', { content: [text('sent')] }],
    ['a result that is an array', [1], { content: [text('1')] }],
    ['a result that is null', null, { content: [] }],
    ['structured content that is null', { content: [], structuredContent: null }, { content: [] }],
    [
      'structured content that is an array',
      { structuredContent: [1] },
      { content: [], structuredContent: { result: [1] } },
    ],
    [
      'structured content that is a string',
      { structuredContent: 'a' },
      { content: [], structuredContent: { result: 'a' } },
    ],
    [
      'the shape of 2024',
      { toolResult: { a: 1 } },
      { content: [text('{"a":1}')], structuredContent: { a: 1 } },
    ],
    ['the shape of 2024 with a string', { toolResult: 'sent' }, { content: [text('sent')] }],
    [
      'the shape of 2024 around the present one',
      { toolResult: { content: [text('sent')] } },
      { content: [text('sent')] },
    ],
    ['both shapes', { toolResult: 'old', content: [text('new')] }, { content: [text('new')] }],
    ['_meta that is a string', { content: [], _meta: 'm' }, { content: [] }],
    ['an error that is a string', { content: [], isError: 'true' }, { content: [], isError: true }],
    ['an error that is null', { content: [], isError: null }, { content: [] }],
    ['an error that is no word', { content: [], isError: 'false' }, { content: [] }],
    [
      'a result type of its own',
      { content: [text('sent')], resultType: 'table' },
      { content: [text('sent')] },
    ],
  ])('hands on %s', (_, raw, result) => {
    expect(read(raw)).toEqual({ isError: false, ...result });
  });

  it('tells of a server that wants more input', () => {
    expect(read({ resultType: 'input_required', inputRequests: {} })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('wants more') }],
    });
  });

  it('hands on whatever fits of a result that is too large', () => {
    const image = { type: 'image', data: 'x'.repeat(800_000) };
    const { content } = read({
      content: [text('first'), image, text('last')],
      structuredContent: { a: image.data },
    });
    expect(content).toEqual([
      text('first'),
      text('last'),
      text(expect.stringContaining('too large') as never),
    ]);
    const long = read({ content: [text('é'.repeat(700_000))] });
    expect(Buffer.byteLength(JSON.stringify(long))).toBeLessThan(800_000);
    expect(long.content[0]?.text).toMatch(/^é{1000}/);
  });

  it('hands on every result', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record({ content: fc.jsonValue(), structuredContent: fc.jsonValue(), isError: fc.jsonValue() }),
        ),
        (raw) => {
          const result = read(raw);
          expect(result.content.every(({ type }) => typeof type === 'string')).toBe(true);
          expect(forModel(result)).toBeDefined();
        },
      ),
    );
  });
});
