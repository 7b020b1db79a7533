// A well-formed request for any row of the contract, made from its schemas, with ids that exist where we can make them.
import { randomUUID } from 'node:crypto';
import type { Operation } from '@parlance/contracts';
import { z } from 'zod';
import type { Account, Accounts } from './accounts.js';

type Ids = Readonly<Record<string, string>>;
type JsonSchema = z.core.JSONSchema.JSONSchema;

/** A path with its parameters filled in; `raw` leaves them as they are. */
export const pathWith = (row: Operation, ids: Ids, raw = false): string =>
  row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = ids[name] ?? randomUUID();
    return raw ? value : encodeURIComponent(value);
  });

/** Well-formed ids of nothing. */
export const randomIds = (): Ids => ({
  ...{ toolName: 'nothing', modelName: 'nothing', phoneNumber: '+14155550100' },
  // A number that every agent with a configuration has, and no id of anything.
  version: '1',
});

/** Ids of things of this account, as far as they can be made; the rest stays random. */
export const foreignIds = async (account: Account, accounts: Accounts): Promise<Ids> => ({
  ...randomIds(),
  agentId: await accounts.agent(account),
});

/** Values that a generator cannot guess, by the name of the field. */
const known: Readonly<Record<string, unknown>> = {
  templateId: 'business',
  phoneNumber: '+14155550170',
  fromNumber: '+14155550142',
  phoneNumbers: ['+14155550199'],
  country: 'US',
  provider: 'TWILIO',
  fileName: 'people.csv',
  contentType: 'text/csv',
  timezone: 'UTC',
  url: 'https://example.com/hook',
  baseUrl: 'https://example.com/v1',
  urls: ['https://example.com/page'],
  hash: '0'.repeat(64),
};

/** Texts of different forms. */
const samples = ['sample_value', 'custom/sample'] as const;

/** Optional by schema, but a rule wants it where its sibling is left out. */
const oneOfTwo = new Set(['urls']);

const sampleOf = (
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  name = '',
): unknown => {
  if (schema.$ref) return sampleOf(definitions[schema.$ref.split('/').at(-1) ?? ''] ?? {}, definitions, name);
  if (Object.hasOwn(known, name)) return known[name];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [option] = (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[];
  if (option) return sampleOf(option, definitions, name);
  switch (schema.type) {
    case 'object': {
      const properties = Object.entries(schema.properties ?? {}) as [string, JsonSchema][];
      const wanted = properties.filter(([key]) => schema.required?.includes(key) || oneOfTwo.has(key));
      return Object.fromEntries(wanted.map(([key, value]) => [key, sampleOf(value, definitions, key)]));
    }
    case 'array':
      return (schema.minItems ?? 0) > 0 ? [sampleOf(Object(schema.items), definitions)] : [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'string':
      if (schema.format === 'uuid') return randomUUID();
      return samples.find((sample) => new RegExp(schema.pattern ?? '').test(sample)) ?? 'SAMPLE_VALUE';
    default:
      return {};
  }
};

const fromSchema = (schema: z.ZodType | undefined): Record<string, unknown> => {
  if (!schema) return {};
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object(sampleOf(json, (json.$defs ?? {}) as Record<string, JsonSchema>));
};

/** Path with query, and body, that this account could send. */
export const sampleRequest = async (
  row: Operation,
  account: Account,
  accounts: Accounts,
): Promise<{ readonly path: string; readonly body: unknown }> => {
  const agentId = await accounts.agent(account);
  const query = new URLSearchParams(
    Object.entries(fromSchema(row.query)).map(([key, value]): [string, string] => [
      key,
      key === 'agentId' ? agentId : String(value),
    ]),
  );
  // Deleting an object of other tests would break them; a missing one is as good to delete.
  const ids = row.method === 'DELETE' ? randomIds() : { ...randomIds(), agentId };
  const fitting = await accounts.catalogDefaults(account);
  const made = fromSchema(row.body);
  const body = { ...made, ...Object.fromEntries(Object.entries(fitting).filter(([key]) => key in made)) };
  const path = pathWith(row, ids);
  return {
    path: query.size > 0 ? `${path}?${query}` : path,
    body: 'agentId' in body ? { ...body, agentId } : body,
  };
};
