import { describe, expect, it } from '@jest/globals';
import { parseJson, stringifyJson } from '@parlance/json';
import { z } from 'zod';
import { parseLossless } from './json-number.js';
import { json, metadata } from './text.js';

const Body = z.strictObject({
  count: z.int().optional(),
  settings: z.object({ speed: z.number().optional() }).optional(),
  choice: z.union([z.string(), z.number()]).optional(),
  metadata: metadata.optional(),
  value: json.optional(),
});

const parse = (text: string) => parseLossless(Body, parseJson(text));

describe('parseLossless', () => {
  it('keeps the digits of free values, and gives fields of type number the nearest double', () => {
    const free = '{"n":[9007199254740993,-0,1.0,1E400,0.1000000000000000055]}';
    const { data } = parse(
      `{"count":3.0,"settings":{"speed":1.50},"choice":2.0,"metadata":${free},"value":1E400}`,
    );
    expect(data).toMatchObject({ count: 3, settings: { speed: 1.5 }, choice: 2 });
    expect(stringifyJson(data?.metadata)).toBe(free);
    expect(stringifyJson(data?.value)).toBe('1E400');
  });

  it.each([
    ['{"count":1E400}', 'count'],
    ['{"count":9007199254740993}', 'count'],
    ['{"settings":1.0}', 'settings'],
    ['{"metadata":1.0}', 'metadata'],
    ['{"metadata":{"a":1.0},"choice":[1.0]}', 'choice'],
  ])('refuses %s as it would refuse the double', (text, field) => {
    const { success, error } = parse(text);
    expect(success).toBe(false);
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([field]);
  });

  it('counts the digits of metadata', () => {
    expect(parse(`{"metadata":{"a":${'9'.repeat(16_300)}}}`).success).toBe(true);
    expect(parse(`{"metadata":{"a":${'9'.repeat(16_400)}}}`).success).toBe(false);
  });
});

it('a free JSON value is described as it was before lossless numbers', () => {
  expect(JSON.stringify(z.toJSONSchema(json))).toContain(
    '{"type":"string"},{"type":"number"},{"type":"boolean"}',
  );
});
