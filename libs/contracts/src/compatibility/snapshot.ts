// The contract of one release as a value that can be kept. It has facts of each row, and the JSON Schemas of its messages.
import { z } from 'zod';
import { authOperations } from '../accounts/auth-operations.js';
import { travellingData } from '../events/event.js';
import { earlierEvents, events } from '../events/events.js';
import { operations } from '../operations/contract.js';
import { type Auth, type Operation, type ServiceRequest, subjectOf } from '../operations/operation.js';
import { serviceRequests } from '../service-requests/index.js';
import { webhookMessages } from '../values/webhook.js';
import { type Definitions, refPrefix, type Schema } from './json-schema.js';

export type RowKind = 'operation' | 'request' | 'event' | 'webhook' | 'account';
type Direction = 'input' | 'output';

/** The schemas of a value before and after its reading. They are the same where `output` is absent. */
export interface KeptShape {
  readonly input: Schema;
  readonly output?: Schema;
}

export interface KeptRow {
  readonly kind: RowKind;
  /** Facts that stay as they are. */
  readonly facts: Readonly<Record<string, string | number | boolean>>;
  /** Each member is needed by a release that knows it. */
  readonly grows: Readonly<Record<string, readonly string[]>>;
  /** A further member would refuse values that were taken before. */
  readonly shrinks: Readonly<Record<string, readonly string[]>>;
  /** `params`, `query`, `body`, `data`, and `stream <event>`. */
  readonly shapes: Readonly<Record<string, KeptShape>>;
}

export interface Snapshot {
  readonly release: string;
  readonly definitions: Readonly<Record<Direction, Definitions>>;
  /** The rows by kind and name, such as `operation agents.create`. */
  readonly rows: Readonly<Record<string, KeptRow>>;
}

/** Words for readers; they mean nothing to a program. */
const words: ReadonlySet<string> = new Set([
  '$schema',
  'description',
  'title',
  'examples',
  'default',
  'id',
  'deprecated',
]);
const namesFields: ReadonlySet<string> = new Set(['properties', '$defs']);

type Rename = (reference: string) => string;

/** The schema without words, and with other references. `inFields`: the keys are names of fields, and no words. */
const cleaned = (value: unknown, rename: Rename, inFields = false): unknown => {
  if (Array.isArray(value)) return value.map((item) => cleaned(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => inFields || !words.has(key))
      .map(([key, inner]) =>
        key === '$ref' && !inFields
          ? [key, rename(String(inner))]
          : [key, cleaned(inner, rename, !inFields && namesFields.has(key))],
      ),
  );
};

/** zod spells out each format as a pattern, and each whole number as a safe one. */
const simplify = ({ jsonSchema }: { jsonSchema: { [key: string]: unknown } }): void => {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

class Keeping {
  readonly definitions: Record<Direction, Record<string, Schema>> = { input: {}, output: {} };

  shape(place: string, schema: z.ZodType): KeptShape {
    const input = this.#schemaOf(place, schema, 'input');
    const output = this.#schemaOf(place, schema, 'output');
    return JSON.stringify(input) === JSON.stringify(output) && !JSON.stringify(input).includes('"$ref"')
      ? { input }
      : { input, output };
  }

  shapes(place: string, parts: Readonly<Record<string, z.ZodType | undefined>>): Record<string, KeptShape> {
    return Object.fromEntries(
      Object.entries(parts).flatMap(([part, schema]) =>
        schema === undefined ? [] : [[part, this.shape(`${place} ${part}`, schema)]],
      ),
    );
  }

  #schemaOf(place: string, schema: z.ZodType, io: Direction): Schema {
    const { $defs = {}, ...root } = z.toJSONSchema(schema, {
      ...{ io, unrepresentable: 'any', override: simplify },
    });
    // Names that zod has made up are those of this schema alone.
    const nameOf = (name: string): string => (name.startsWith('__') ? `${place} ${name}` : name);
    const rename: Rename = (reference) =>
      reference === '#' ? `${refPrefix}${place}` : `${refPrefix}${nameOf(reference.slice(refPrefix.length))}`;
    const kept = cleaned(root, rename) as Schema; // zod wrote it
    if (JSON.stringify(root).includes('"#"')) this.definitions[io][place] = kept;
    for (const [name, definition] of Object.entries($defs))
      this.definitions[io][nameOf(name)] = cleaned(definition, rename) as Schema; // zod wrote it
    return kept;
  }
}

const listsOf = (auth: Auth): Pick<KeptRow, 'grows' | 'shrinks'> => ({
  grows: auth.kind === 'org' ? { 'permissions, any of': [...auth.anyOf].sort() } : {},
  shrinks: auth.kind === 'orgAdmin' ? { 'permissions, all of': [...auth.allOf].sort() } : {},
});

const mcpFact = ({ mcp }: Operation): Record<string, string> =>
  mcp.as === 'none' ? {} : { mcp: `${mcp.as} ${mcp.name}` };

const operationRow = (keeping: Keeping, row: Operation): KeptRow => {
  const { grows, shrinks } = listsOf(row.auth);
  const events = Object.entries(row.stream ?? {}).map(
    ([name, schema]) => [`stream ${name}`, schema] as const,
  );
  const { params, query, body, data } = row;
  const askers = [...(row.askedBy ?? []), ...(row.formerly?.askedBy ?? [])].sort();
  return {
    kind: 'operation',
    facts: {
      ...{
        method: row.method,
        path: row.path,
        subject: subjectOf(row),
        success: row.success,
        auth: row.auth.kind,
      },
      ...{
        confidential: row.confidential === true,
        verified: row.verified === true,
        paged: row.paged === true,
      },
      ...mcpFact(row),
    },
    grows: { ...grows, ...(askers.length === 0 ? {} : { 'asked by': askers }) },
    shrinks,
    shapes: keeping.shapes(row.id, { params, query, body, data, ...Object.fromEntries(events) }),
  };
};

const requestRow = (keeping: Keeping, row: ServiceRequest): KeptRow => ({
  kind: 'request',
  facts: { subject: subjectOf(row), confidential: row.confidential === true },
  grows: { 'asked by': [...row.askedBy, ...(row.formerly?.askedBy ?? [])].sort() },
  shrinks: {},
  shapes: keeping.shapes(row.id, { body: row.body, data: row.data }),
});

const plainRow = (kind: RowKind, facts: KeptRow['facts'], shapes: KeptRow['shapes']): KeptRow => ({
  ...{ kind, facts, shapes, grows: {}, shrinks: {} },
});

/** The contract of this code. @param release its version */
export const takeSnapshot = (release: string): Snapshot => {
  const keeping = new Keeping();
  const rows: [string, KeptRow][] = [
    ...operations.map((row): [string, KeptRow] => [`operation ${row.id}`, operationRow(keeping, row)]),
    ...Object.values(serviceRequests).map((row): [string, KeptRow] => [
      `request ${row.id}`,
      requestRow(keeping, row),
    ]),
    ...[...Object.values(earlierEvents), ...Object.values(events)].map((definition): [string, KeptRow] => {
      const id = `${definition.name} v${definition.version}`;
      return [`event ${id}`, plainRow('event', {}, keeping.shapes(id, { data: travellingData(definition) }))];
    }),
    ...Object.entries(webhookMessages).map(([name, { schema: data }]): [string, KeptRow] => [
      `webhook ${name}`,
      plainRow('webhook', {}, keeping.shapes(`webhook ${name}`, { data })),
    ]),
    ...authOperations.map((row): [string, KeptRow] => {
      const { id, method, path, who, query, body, answer: data } = row;
      return [
        `account ${id}`,
        plainRow('account', { method, path, who }, keeping.shapes(id, { query, body, data })),
      ];
    }),
  ];
  return { release, definitions: keeping.definitions, rows: Object.fromEntries(rows) };
};

/** The snapshot as text of a file. It has a line for each row and each definition, so that a change shows in a diff. */
export const printSnapshot = ({ release, definitions, rows }: Snapshot): string => {
  const lines = (values: Readonly<Record<string, unknown>>, indent: string): string =>
    Object.entries(values)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `${indent}${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(',\n');
  return [
    `{\n "release": ${JSON.stringify(release)},`,
    ` "definitions": {\n  "input": {\n${lines(definitions.input, '   ')}\n  },`,
    `  "output": {\n${lines(definitions.output, '   ')}\n  }\n },`,
    ` "rows": {\n${lines(rows, '  ')}\n }\n}\n`,
  ].join('\n');
};
