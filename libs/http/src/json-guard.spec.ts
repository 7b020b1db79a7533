import { describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { isStorable, parseJson } from './json-guard.js';

const failure = (text: string | Buffer): AppError => {
  try {
    parseJson(Buffer.from(text));
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('expected a refusal');
};

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const wide = (keys: number): string =>
  `{${Array.from({ length: keys }, (_, index) => `"k${index}":1`).join()}}`;

describe('parseJson', () => {
  it.each([
    '{"a":[1,2,{"b":null}]}',
    '"text"',
    'null',
    '[]',
    '{"escaped \\" quote":"\\\\"}',
    '{"text":"[[[[{{{{ : : :"}',
    '{"constructor":"a word"}',
    '{"emoji":"\\ud83d\\ude00"}',
  ])('reads %s', (text) => {
    expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it.each(['{', '{"a":}', '', '{"a":1}}', "{'a':1}", '{"a":"\n"}', '"unterminated', '\ufeff{}', 'NaN'])(
    'calls %j malformed',
    (text) => {
      expect(failure(text).code).toBe('MALFORMED_JSON');
    },
  );

  it('calls bytes that are not UTF-8 malformed', () => {
    expect(failure(Buffer.from([0x22, 0xff, 0x22])).code).toBe('MALFORMED_JSON');
  });

  it('accepts 32 levels and refuses 33, and 100,000 without running out of stack', () => {
    expect(parseJson(Buffer.from(nested(32)))).toBeInstanceOf(Array);
    expect(failure(nested(33)).code).toBe('JSON_TOO_DEEP');
    expect(failure(nested(100_000)).code).toBe('JSON_TOO_DEEP');
    expect(failure('{"a":'.repeat(5_000)).code).toBe('JSON_TOO_DEEP');
  });

  it('accepts 1,000 keys in one object and refuses 1,001, wherever they stand', () => {
    expect(Object.keys(Object(parseJson(Buffer.from(wide(1_000)))))).toHaveLength(1_000);
    expect(failure(`[${wide(1_001)}]`).details).toEqual({
      issues: [expect.objectContaining({ code: 'too_many_keys' })],
    });
  });

  it('counts keys per object, so that long lists of small objects pass', () => {
    const text = `[${Array.from({ length: 5_000 }, () => '{"a":1}').join()}]`;
    expect(parseJson(Buffer.from(text))).toHaveLength(5_000);
  });

  it.each([
    ['{"a":{"__proto__":{"isAdmin":true}}}', 'body.a.__proto__'],
    ['{"__pr\\u006fto__":1}', 'body.__proto__'],
    ['{"constructor":{"prototype":{}}}', 'body.constructor'],
  ])('refuses the key in %s', (text, path) => {
    expect(failure(text)).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path, code: 'forbidden_key' }] },
    });
  });

  it.each([
    ['{"name":"a\\u0000b"}', 'body.name'],
    ['{"name":["\\ud800"]}', 'body.name.0'],
    ['{"a":"\\udc00\\ud800"}', 'body.a'],
    ['{"\\u0000":1}', 'body'],
  ])('refuses the characters in %s', (text, path) => {
    expect(failure(text).details).toEqual({
      issues: [{ path, code: 'invalid_characters', message: 'contains characters that cannot be stored' }],
    });
  });
});

describe('isStorable', () => {
  it('takes pairs of surrogates and refuses halves', () => {
    expect(isStorable('😀')).toBe(true);
    expect(isStorable('\ud83d')).toBe(false);
    expect(isStorable('\ude00')).toBe(false);
    expect(isStorable('a\0')).toBe(false);
  });
});
