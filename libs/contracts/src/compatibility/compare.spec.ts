// Each kind of change that keeps two releases from working side by side is made to the real contract, and found.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { breaksBetween, judge } from './compare.js';
import type { Schema } from './json-schema.js';
import { type KeptRow, printSnapshot, type Snapshot, takeSnapshot } from './snapshot.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends object ? Mutable<T[K]> : T[K] };

let present: Snapshot;
beforeAll(() => {
  present = takeSnapshot('0.1.0');
});

const text: Schema = { type: 'string' };
const name = 'request example.ask';
const object = (
  properties: Record<string, Schema>,
  required: readonly string[] = Object.keys(properties),
): Schema => ({
  ...{ type: 'object', properties, required },
});

/** A release with one row. */
const release = (row: Partial<KeptRow>, row2 = name): Snapshot => ({
  release: '0.1.0',
  definitions: { input: {}, output: {} },
  rows: { [row2]: { kind: 'request', facts: {}, grows: {}, shrinks: {}, shapes: {}, ...row } },
});
const between = (was: Partial<KeptRow>, is: Partial<KeptRow>): readonly string[] =>
  breaksBetween(release(was), release(is));

it('a contract fits itself, also after it was kept in a file', () => {
  expect(breaksBetween(JSON.parse(printSnapshot(present)), present)).toEqual([]);
});

it('a contract that is kept has every row, and nothing that is for readers alone', () => {
  const printed = printSnapshot(present);
  for (const kind of ['operation', 'request', 'event', 'webhook', 'account'])
    expect(Object.values(present.rows).some((row) => row.kind === kind)).toBe(true);
  expect(printed).not.toMatch(/"(description|examples|\$schema)":"/);
});

describe('in the whole contract', () => {
  const changed = (change: (snapshot: Mutable<Snapshot>) => void): Snapshot => {
    const copy = JSON.parse(printSnapshot(present));
    change(copy);
    return copy;
  };

  it('a row that is gone is found', () => {
    const newer = changed(({ rows }) => void delete rows['operation agents.create']);
    expect(breaksBetween(present, newer)).toEqual(['operation agents.create: is gone']);
  });

  it('a definition that changed is found in the rows that have it', () => {
    const newer = changed(({ definitions }) => {
      for (const { Agent } of [definitions.input, definitions.output])
        Object.assign(Agent ?? {}, { required: [] });
    });
    expect(breaksBetween(present, newer)).toContainEqual(
      expect.stringMatching(
        /^operation agents\.create: data\.name: may be absent, and is required \(the newer/,
      ),
    );
  });
});

describe('of a request between services, it is found that', () => {
  const body = (schema: Schema, output?: Schema): Partial<KeptRow> => ({
    shapes: { body: output === undefined ? { input: schema } : { input: schema, output } },
  });

  it('the newer service needs a field that the older asker does not send', () => {
    expect(between(body(object({ a: text })), body(object({ a: text, b: text })))).toEqual([
      `${name}: body.b: may be absent, and is required (the older release sends, between an asker and the service)`,
    ]);
  });

  it('the newer service counts on a default that the older asker does not fill in', () => {
    const is = body(object({ a: text, b: text }, ['a']), object({ a: text, b: text }));
    expect(between(body(object({ a: text })), is)).toEqual([
      expect.stringContaining('body.b: may be absent, and is required (the older release sends'),
    ]);
  });

  it('the newer asker leaves a field out that the older service needs', () => {
    expect(between(body(object({ a: text, b: text })), body(object({ a: text })))).toEqual([
      expect.stringContaining('body.b: may be absent, and is required (the newer release sends'),
    ]);
  });

  it('the newer asker sends a value that the older service does not know', () => {
    const of = (...values: string[]) => body(object({ a: { type: 'string', enum: values } }));
    expect(between(of('one'), of('one', 'two'))).toEqual([
      expect.stringContaining('body.a: "two" is not known (the newer release sends'),
    ]);
  });

  it('a further optional field harms nobody', () => {
    expect(between(body(object({ a: text })), body(object({ a: text, b: text }, ['a'])))).toEqual([]);
  });

  it('the newer service answers without a field that the older asker reads', () => {
    const data = (schema: Schema): Partial<KeptRow> => ({ shapes: { data: { input: schema } } });
    expect(between(data(object({ a: text, b: text })), data(object({ a: text })))).toEqual([
      expect.stringContaining(
        'data.b: may be absent, and is required (the newer release sends, between a service',
      ),
    ]);
  });

  it('the older service does not answer it', () => {
    expect(breaksBetween({ ...release({}), rows: {} }, release({}))).toEqual([
      `${name}: the older release does not answer it`,
    ]);
  });

  it('another service may not ask any more, and the subject or the seal changed', () => {
    const row = (subject: string, confidential: boolean, ...askers: string[]): Partial<KeptRow> => ({
      facts: { subject, confidential },
      grows: { 'asked by': askers },
    });
    expect(between(row('one', false, 'gateway', 'widgets'), row('two', true, 'gateway'))).toEqual([
      `${name}: subject was one, and is two`,
      `${name}: confidential was false, and is true`,
      `${name}: asked by: widgets is gone`,
    ]);
  });
});

describe('of an event, it is found that', () => {
  const data = (schema: Schema): Partial<KeptRow> => ({ kind: 'event', shapes: { data: { input: schema } } });

  it('the older consumer refuses what the newer producer sends, and the other way round', () => {
    const [one, two] = [data(object({ a: text })), data(object({ a: text, b: text }))];
    expect(between(one, two)).toEqual([
      expect.stringContaining('the older release sends, between a producer'),
    ]);
    expect(between(two, one)).toEqual([
      expect.stringContaining('the newer release sends, between a producer'),
    ]);
  });

  it('a new event harms nobody', () => {
    expect(breaksBetween({ ...release({}), rows: {} }, release({ kind: 'event' }))).toEqual([]);
  });
});

describe('of an operation, it is found that', () => {
  const of = (shapes: KeptRow['shapes'], more: Partial<KeptRow> = {}): Partial<KeptRow> => ({
    ...{ kind: 'operation', shapes },
    ...more,
  });
  const strict = (schema: Schema): Schema => ({ ...schema, additionalProperties: false });

  it('a field that clients send is taken no more', () => {
    const was = of({ body: { input: strict(object({ a: text, b: text }, [])) } });
    const is = of({ body: { input: strict(object({ a: text }, [])) } });
    expect(between(was, is)).toEqual([
      expect.stringContaining(
        'body.b: is not known (the older release sends, between a client and the gateway)',
      ),
    ]);
  });

  it('a body became needed, or is taken no more', () => {
    const body = { body: { input: strict(object({ a: text })) } };
    expect(between(of({}), of(body))).toContainEqual(
      expect.stringContaining(
        'body.a: may be absent, and is required (the older release sends, between a client',
      ),
    );
    expect(between(of(body), of({}))).toContainEqual(expect.stringContaining('body.a: is not known'));
  });

  it('an answer may be null, or has a value, that published clients do not know', () => {
    const data = (schema: Schema) => of({ data: { input: object({ a: schema }) } });
    expect(between(data(text), data({ anyOf: [text, { type: 'null' }] }))).toEqual([
      expect.stringContaining('data.a: null is not string (the newer release sends'),
    ]);
    expect(between(data({ enum: ['one'] }), data({ enum: ['one', 'two'] }))).toEqual([
      expect.stringContaining('data.a: "two" is not known (the newer release sends'),
    ]);
  });

  it('a permission suffices no more, or is needed besides', () => {
    const member = (anyOf: string[]) => of({}, { grows: { 'permissions, any of': anyOf } });
    expect(between(member(['a', 'b']), member(['a']))).toEqual([`${name}: permissions, any of: b is gone`]);
    const admin = (allOf: string[]) => of({}, { shrinks: { 'permissions, all of': allOf } });
    expect(between(admin(['a']), admin(['a', 'b']))).toEqual([
      `${name}: permissions, all of: b is needed besides`,
    ]);
  });

  it('an event of a stream is sent no more', () => {
    const stream = of({ 'stream done': { input: object({}) }, 'stream word': { input: object({}) } });
    expect(between(stream, of({ 'stream word': { input: object({}) } }))).toEqual([
      `${name}: stream done is sent no more`,
    ]);
    expect(between(of({ 'stream word': { input: object({}) } }), stream)).toEqual([]);
  });
});

describe('a list of harmless breaks', () => {
  const [older, newer] = [release({ facts: { path: '/a' } }), release({ facts: { path: '/b' } })];
  const entry = { since: '0.1.0', break: `${name}: path was /a, and is /b`, why: 'nobody has it' };

  it('lets the break pass that it names', () => {
    expect(judge(older, newer, [])).toEqual([entry.break]);
    expect(judge(older, newer, [entry])).toEqual([]);
    expect(judge(older, newer, [{ ...entry, since: '0.0.1' }])).toEqual([entry.break]);
  });

  it('has no entry that fits nothing', () => {
    expect(judge(older, older, [entry])).toEqual([`listed as harmless, and not there: ${entry.break}`]);
  });
});
