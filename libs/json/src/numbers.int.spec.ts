// Foreign JSON keeps its text on each way in, through and out of the platform.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { metadata, parseLossless, storableJson } from '@parlance/contracts';
import { parseForeignJson } from '@parlance/egress';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { encodeReply, parseData } from '@parlance/rpc';
import { fillJson, Masking } from '@parlance/webhooks';
import fc from 'fast-check';
import { jsonOfStored, parseJson, stringifyJson, stringifyStored } from './index.js';

type Json = Parameters<typeof storableJson>[0];

let engines: TestEngines;
let db: Database;
beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  const { url } = await engines.databaseFor('numbers');
  db = createDatabase({ url, applicationName: 'numbers', max: 1 });
});
afterAll(async () => {
  await db?.end();
  await engines?.stop();
});

const numeral = fc.oneof(
  fc.constantFrom(
    '9007199254740993',
    '7615917337495251231',
    '9'.repeat(400),
    '1E400',
    '-0',
    '1.0',
    '1E200000',
  ),
  fc.constantFrom('0.1000000000000000055', '0.0000001', '5e-324', '1', '0.1', '-1.5e+300'),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.stringMatching(/^(?:0|[1-9]\d{0,25})$/),
      fc.constantFrom('', '.0', '.50', '.123456789012345678'),
      fc.constantFrom('', 'e5', 'E-10', 'e+400'),
    )
    .map((pieces) => pieces.join('')),
);

const value = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    numeral,
    fc.constantFrom('null', 'true', '"1.0"', '{"$losslessNumber":"1.0"}', '{"$$losslessNumber":1.0}'),
    fc.array(tie('json'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc.tuple(tie('json'), tie('json')).map(([a, b]) => `{"a":${a},"bb":${b}}`),
  ),
})).json;

const throughReply = (data: unknown): unknown => {
  const [, json = ''] = encodeReply({ data }).split('\n');
  return parseData(Buffer.from(json));
};

const ways: readonly (readonly [way: string, through: (text: string) => unknown])[] = [
  ['the answer of another system', (text) => parseForeignJson(Buffer.from(`\uFEFF${text}`))],
  ['a schema of the contract', (text) => parseLossless(metadata, parseJson(text)).data],
  ['a reply between services', (text) => throughReply(parseJson(text))],
  ['the removal of characters that no store keeps', (text) => storableJson(parseJson(text) as Json)],
  ['the masking of secrets', (text) => new Masking(['a secret']).json(parseJson(text) as Json)],
  ['a template of a webhook', (text) => fillJson(parseJson(text), () => undefined)],
];

it.each(ways)('keeps its text through %s', (_, through) => {
  fc.assert(
    fc.property(value, (inner) => {
      const text = `{"metadata":${inner}}`;
      expect(stringifyJson(through(text))).toBe(text);
    }),
  );
});

// Postgres sorts members by length and name, and the generated objects are in that order.
it('keeps its text through columns of Postgres, and out of the outbox', async () => {
  await fc.assert(
    fc.asyncProperty(value, async (inner) => {
      const text = `{"metadata":${inner}}`;
      const { rows } = await db.query<{ json: unknown; jsonb: unknown; text: string }>(
        'select $1::json as json, $2::jsonb as jsonb, $2::jsonb::text as text',
        [stringifyJson(parseJson(text)), stringifyStored(parseJson(text))],
      );
      const [row] = rows;
      expect(stringifyJson(row?.json)).toBe(text);
      expect(stringifyJson(row?.jsonb)).toBe(text);
      expect(stringifyJson(parseJson(jsonOfStored(row?.text ?? '')))).toBe(text);
    }),
    { numRuns: 50 },
  );
});
