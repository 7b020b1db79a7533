// The definition of a tool, as a server gives it and as it is kept.
import { createHash } from 'node:crypto';
import { type McpTool, storableJson, storableText } from '@parlance/contracts';
import { wrongHeaderIn } from './header-declarations.js';
import { depthOf, type JsonSchema } from './json-schema.js';
import type { ListedTool, ReadOptions } from './listed-tool.js';
import { isSuspicious } from './suspicious.js';
import type { WarningCode } from './warnings.js';

/** The stored part of a tool, without its name. */
export interface Definition {
  readonly title: string | null;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | null;
  readonly annotations: McpTool['annotations'];
}

export interface DefinedTool {
  readonly name: string;
  readonly definition: Definition;
  readonly hash: string;
  readonly isSuspicious: boolean;
}

const longestDescription = 8_192;
const largestSchemaBytes = 65_536;
const deepestSchema = 24;

const usableName = /^[A-Za-z0-9_-][A-Za-z0-9_./-]{0,127}$/;

/** Members in one order, so that equal values are equal texts. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

const hashOf = (name: string, definition: Definition): string =>
  createHash('sha256')
    .update(canonical({ name, ...definition }))
    .digest('hex');

export interface Problem {
  readonly code: WarningCode;
  readonly field: string;
}

const tooDeep = (schema: object): boolean => depthOf(schema, deepestSchema + 1) > deepestSchema;
const tooLarge = (schema: object): boolean => Buffer.byteLength(JSON.stringify(schema)) > largestSchemaBytes;

/** Why a definition cannot be used, or would cost too much. */
export const problemOf = (
  { name, description = '', inputSchema, outputSchema = {} }: ListedTool,
  { isModern }: ReadOptions,
): Problem | undefined => {
  if (!usableName.test(name) || name.split('/').includes('..'))
    return { code: 'name_not_usable', field: 'name' };
  if (description.length > longestDescription) return { code: 'description_too_long', field: 'description' };
  if (tooDeep(inputSchema)) return { code: 'schema_too_deep', field: 'inputSchema' };
  if (tooDeep(outputSchema)) return { code: 'schema_too_deep', field: 'outputSchema' };
  if (tooLarge([inputSchema, outputSchema])) return { code: 'schema_too_large', field: 'inputSchema' };
  const header = isModern ? wrongHeaderIn(inputSchema) : undefined;
  return header === undefined ? undefined : { code: 'header_not_usable', field: `inputSchema.${header}` };
};

/** JSON by its origin: it was parsed from an answer. */
const asJsonObject = (value: object): JsonSchema => storableJson(value as JsonSchema) as JsonSchema;

export const define = ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: ListedTool): DefinedTool => {
  const definition: Definition = {
    title: title === undefined ? null : storableText(title).slice(0, 256),
    description: storableText(description ?? ''),
    inputSchema: asJsonObject(inputSchema),
    outputSchema: outputSchema === undefined ? null : asJsonObject(outputSchema),
    annotations: annotations === undefined ? null : asJsonObject(annotations),
  };
  return { name, definition, hash: hashOf(name, definition), isSuspicious: isSuspicious([name, definition]) };
};
