import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse as parseReference, stringify as stringifyReference } from 'lossless-json';
import {
  isSameNumber,
  isWholeNumber,
  LosslessNumber,
  numbersForTokens,
  parseJson,
  stringifyJson,
  tokensForNumbers,
  withDoubles,
  withoutTokens,
  withTokens,
} from './index.js';

const unusual = [
  '9007199254740993',
  '-7615917337495251231',
  '9'.repeat(400),
  '1E400',
  '1e-400',
  '-0',
  '-0.0',
  '1.0',
  '10.50',
  '0.1000000000000000055',
  '0.0000001',
  '1e5',
];

/** Numbers of JSON in any form. */
const numeral = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,30}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,20}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?\d{1,4}$/)),
  )
  .map((pieces) => pieces.join(''));

/** Strings that look like numbers and like the edges of JSON, among others. */
const string = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('1.0', ': -0,', '"9007199254740993"', '\\', '\\"1E400', '[1.0]', '__proto__', '{"a":1.0}'),
);

/** JSON texts without white space, as `JSON.stringify` would write them, but for the form of their numbers. */
const json = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    numeral,
    fc.constantFrom('true', 'false', 'null', ...unusual),
    string.map((text) => JSON.stringify(text)),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(
        fc.tuple(
          fc.string({ minLength: 1 }).map((key) => `k${key}`),
          tie('value'),
        ),
        {
          maxLength: 4,
          selector: ([key]) => key,
        },
      )
      .map((entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  ),
})).value;

const nested = (depth: number): string => `${'['.repeat(depth)}1.0${']'.repeat(depth)}`;

describe('parseJson and stringifyJson', () => {
  it.each(unusual)('write %s as it was read', (text) => {
    expect(stringifyJson(parseJson(text))).toBe(text);
    expect(stringifyJson(parseJson(`{"a":[${text}, ${text} ]}`))).toBe(`{"a":[${text},${text}]}`);
  });

  it('write any JSON as it was read', () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(stringifyJson(parseJson(text))).toBe(text);
      }),
    );
  });

  it('agree with an independent lossless codec', () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(stringifyJson(parseJson(text))).toBe(stringifyReference(parseReference(text)));
      }),
    );
  });

  it('refuse exactly the texts that JSON.parse refuses', () => {
    const damaged = fc
      .tuple(json, fc.nat(), fc.constantFrom('', '1.0', '"', '-', '.', 'e', '0', ':', ',', '{', '1E400'))
      .map(
        ([text, at, piece]) =>
          text.slice(0, at % (text.length + 1)) + piece + text.slice((at % (text.length + 1)) + 1),
      );
    const accepts = (parse: (text: string) => unknown, text: string): boolean => {
      try {
        parse(text);
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
        return false;
      }
    };
    fc.assert(
      fc.property(
        fc.oneof(damaged, fc.constantFrom('{1.0:1}', '01.0', '1.', '.10', '+1.0', '1.0 1.0', '[1.0"a"]')),
        (text) => {
          expect(accepts(parseJson, text)).toBe(accepts(JSON.parse, text));
        },
      ),
    );
  });

  it('leave numbers that a double keeps to the engine', () => {
    const value = {
      a: 1,
      b: -2.5,
      c: 0.1,
      d: 1e21,
      e: 5e-324,
      f: Number.MAX_SAFE_INTEGER,
      g: 0.30000000000000004,
    };
    expect(parseJson(JSON.stringify(value))).toStrictEqual(value);
  });

  it('keep the last of two members with one name', () => {
    expect(stringifyJson(parseJson('{"a":1.0,"a":2.0}'))).toBe('{"a":2.0}');
  });

  it('keep a member that is called __proto__ as a member', () => {
    const value = parseJson('{"__proto__":{"a":1.0}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(stringifyJson(value)).toBe('{"__proto__":{"a":1.0}}');
  });

  it('survive a text that is nested too deeply', () => {
    expect(() => parseJson(nested(200_000))).toThrow(SyntaxError);
  });

  it('write a member that is undefined, a date and an indentation like JSON.stringify', () => {
    const value = { a: undefined, at: new Date(0), list: [undefined, () => 1] };
    expect(stringifyJson({ ...value, n: new LosslessNumber('1.0') }, 1)).toBe(
      JSON.stringify({ ...value, n: '%' }, null, 1).replace('"%"', '1.0'),
    );
    expect(stringifyJson(undefined)).toBeUndefined();
  });
});

describe('a LosslessNumber', () => {
  it('is written as its digits by other codecs, and as text', () => {
    const number = new LosslessNumber('9007199254740993');
    expect(JSON.stringify([number])).toBe('["9007199254740993"]');
    expect(`${number}`).toBe('9007199254740993');
    expect(Number(new LosslessNumber('1E400'))).toBe(Number.POSITIVE_INFINITY);
  });

  it.each(['', '1.', '01', 'NaN', '1,0', '"1"'])('cannot be made of %j', (text) => {
    expect(() => new LosslessNumber(text)).toThrow(SyntaxError);
  });

  it('is compared by its value', () => {
    const same = (a: string, b: string): boolean =>
      isSameNumber(new LosslessNumber(a), new LosslessNumber(b));
    expect(same('1.0', '10E-1')).toBe(true);
    expect(same('-0', '0.00')).toBe(true);
    expect(same('9007199254740993', '9007199254740992')).toBe(false);
    expect(isSameNumber(1e21, new LosslessNumber('1000000000000000000000'))).toBe(true);
    expect(
      ['1.0', '1.50E1', '-0', '1E400', '9'.repeat(400)].every((text) =>
        isWholeNumber(new LosslessNumber(text)),
      ),
    ).toBe(true);
    expect(
      ['1.5', '1e-400', '9007199254740993.1'].some((text) => isWholeNumber(new LosslessNumber(text))),
    ).toBe(false);
  });
});

describe('tokens', () => {
  it('carry every number through a codec of doubles', () => {
    fc.assert(
      fc.property(json, (text) => {
        const read = withoutTokens(JSON.parse(tokensForNumbers(text)));
        expect(stringifyJson(read)).toBe(text);
        expect(numbersForTokens(JSON.stringify(withTokens(read)))).toBe(text);
      }),
    );
  });

  it('stand for numbers in each line of a text alone', () => {
    const lines = '{\n "a": 1.0,\n "b": ["\\"", 9007199254740993\n ]\n}'.split('\n').map(tokensForNumbers);
    expect(stringifyJson(withoutTokens(JSON.parse(lines.join('\n'))))).toBe(
      '{"a":1.0,"b":["\\"",9007199254740993]}',
    );
  });
});

it('withDoubles gives the nearest double for each number', () => {
  expect(withDoubles(parseJson('{"a":[1.0,9007199254740993,1E400]}'))).toEqual({
    a: [1, 9007199254740992, Number.POSITIVE_INFINITY],
  });
});
