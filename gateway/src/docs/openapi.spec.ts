import { beforeAll, describe, expect, it } from '@jest/globals';
import { authOperations, isReleased, type Operation, operations } from '@parlance/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { buildOpenApi } from './openapi.js';

// biome-ignore lint/suspicious/noExplicitAny: a document without a type of its own, looked into path by path
let document: any;

interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: { readonly 'application/json': { readonly schema: { readonly $ref?: string } } };
  readonly 'x-codes'?: readonly string[];
}

interface Documented {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly description?: string;
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Schema {
  readonly default?: unknown;
  readonly const?: unknown;
  readonly anyOf?: readonly object[];
  readonly oneOf?: readonly object[];
  readonly discriminator?: object;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly maximum?: number;
  readonly properties?: object;
  readonly additionalProperties?: unknown;
}

const documentedOperations = (): Documented[] =>
  [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap((item) =>
    Object.values(item as Record<string, Documented>),
  );

const resolved = (answer: Answer): Answer =>
  answer.$ref === undefined ? answer : document.components.responses[answer.$ref.split('/').at(-1) ?? ''];

beforeAll(() => {
  document = buildOpenApi();
});

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  it('has every operation of the contract, with who may call it and how it can fail', () => {
    for (const row of operations) {
      const documented = document.paths[row.path][row.method.toLowerCase()];
      expect(documented.operationId).toBe(row.id);
      expect(documented.responses[String(row.success)]).toBeDefined();
      expect(documented['x-mcp']).toEqual(row.mcp);
      const codes = Object.values<Answer>(documented.responses).flatMap(
        (one) => resolved(one)['x-codes'] ?? [],
      );
      expect(codes).toEqual(expect.arrayContaining([...row.errors]));
      const isForAnybody = documented.security.some((one: object) => Object.keys(one).length === 0);
      expect([row.id, isForAnybody]).toEqual([row.id, ['none', 'public'].includes(row.auth.kind)]);
    }
  });

  it('marks every operation that no service of this release does, and no other', () => {
    const rows: readonly Operation[] = operations;
    for (const row of rows) {
      const documented = document.paths[row.path][row.method.toLowerCase()];
      const marks = [
        documented['x-not-implemented'] === true,
        documented.responses['501'] !== undefined,
        /501 `NOT_IMPLEMENTED`/.test(documented.description ?? ''),
      ];
      expect([row.id, ...marks]).toEqual([row.id, ...marks.map(() => !isReleased(row))]);
    }
  });

  it('has every path of the door at /auth/*, with its input, its failures and an example', () => {
    for (const row of authOperations) {
      const documented = document.paths[`/auth${row.path}`][row.method.toLowerCase()];
      expect(documented.operationId).toBe(row.id);
      const codes = Object.values<Answer>(documented.responses).flatMap(
        (one) => resolved(one)['x-codes'] ?? [],
      );
      expect(codes).toEqual(expect.arrayContaining([...row.errors, 'RATE_LIMITED']));
      expect([row.id, documented.requestBody?.content['application/json'].example !== undefined]).toEqual([
        row.id,
        row.body !== undefined,
      ]);
    }
  });

  it('answers every refusal with the one schema of errors, and lists the codes of each response', () => {
    for (const { operationId, responses } of documentedOperations())
      for (const [status, response] of Object.entries(responses)) {
        if (status.startsWith('2')) continue;
        const { content, description, 'x-codes': codes = [] } = resolved(response);
        expect([operationId, status, content?.['application/json'].schema.$ref]).toEqual([
          ...[operationId, status, '#/components/schemas/ErrorResponse'],
        ]);
        expect(codes.length).toBeGreaterThan(0);
        for (const code of codes) expect(description).toContain(`\`${code}\``);
      }
  });

  it('has no schema that generators of clients are known to write wrongly', () => {
    const problems: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const schema: Schema = value; // any object has these fields or not
      const { default: fallback, anyOf, type, properties, additionalProperties: rest } = schema;
      const { const: fixed, oneOf, discriminator, format, maximum = Number.POSITIVE_INFINITY } = schema;
      const isSchema = !path.endsWith('/properties');
      if (isSchema && typeof fallback === 'object' && !Array.isArray(fallback))
        problems.push(`${path}: Go writes this default as a literal that does not compile`);
      if (oneOf?.every((member) => '$ref' in member) && discriminator === undefined)
        problems.push(`${path}: Go takes one object for several members of a union without a discriminator`);
      if (anyOf?.some((member) => 'anyOf' in member))
        problems.push(`${path}: openapi-generator refuses a union within a union`);
      if (type === 'boolean' && fixed !== undefined)
        problems.push(`${path}: openapi-generator for Python compares a constant boolean with its text`);
      const isInteger = type !== undefined && [type].flat().includes('integer') && fixed === undefined;
      if (isInteger && format === undefined && maximum > 2 ** 31 - 1)
        problems.push(`${path}: Go reads an integer without a format as one of 32 bits`);
      if (type === 'null' && !path.includes('/anyOf/'))
        problems.push(`${path}: openapi-generator for Python refuses the type null outside of a union`);
      if (properties !== undefined && Object(rest).$ref !== undefined)
        problems.push(`${path}: an index of a named type beside fields does not compile in TypeScript`);
      for (const [key, inner] of Object.entries(value))
        if (key !== 'example' && key !== 'examples') visit(inner, `${path}/${key}`);
    };
    visit(document, '');
    expect(problems).toEqual([]);
  });

  it('has a sentence for every area and every operation, and an operation id of one area and one verb only once', () => {
    const areas: Record<string, string> = Object.fromEntries(
      document.tags.map(({ name, description }: { name: string; description: string }) => [
        name,
        description,
      ]),
    );
    const documented = documentedOperations();
    for (const { operationId, tags, description } of documented) {
      expect([operationId, description]).toEqual([operationId, expect.stringMatching(/\S.*\.$/s)]);
      expect(operationId).toMatch(/^[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/);
      expect([operationId, tags.every((tag) => (areas[tag] ?? '').length > 0)]).toEqual([operationId, true]);
    }
    expect(new Set(documented.map(({ operationId }) => operationId)).size).toBe(documented.length);
  });

  it('spells out no schema of any JSON value, because generators refuse one that refers to itself', () => {
    expect(document.components.schemas.Json).toEqual({ description: 'any JSON value' });
  });

  it('names every member of a union, because generators leave out members without a name that hold objects', () => {
    const unions = Object.entries<{ oneOf?: { $ref?: string }[] }>(document.components.schemas).filter(
      ([name, { oneOf }]) => oneOf !== undefined && name.endsWith('Entry'),
    );
    expect(unions.map(([name]) => name)).toEqual(['CallTimelineEntry', 'OutboundTimelineEntry']);
    for (const [name, { oneOf = [] }] of unions)
      for (const { $ref } of oneOf)
        expect([name, $ref]).toEqual([name, expect.stringContaining('/Timeline')]);
  });

  it('refers only to components that it has', () => {
    const text = JSON.stringify(document);
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g))
      expect(document.components[kind][name]).toBeDefined();
    expect(text).not.toContain('#/$defs/');
  });

  it('gives every request body an example', () => {
    for (const row of operations.filter((one) => 'body' in one)) {
      const documented = document.paths[row.path][row.method.toLowerCase()];
      expect([row.id, documented.requestBody.content['application/json'].example !== undefined]).toEqual([
        row.id,
        true,
      ]);
    }
  });

  it('is the same every time', () => {
    expect(JSON.stringify(buildOpenApi())).toBe(JSON.stringify(document));
  });
});
