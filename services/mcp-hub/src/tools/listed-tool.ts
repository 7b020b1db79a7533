// Reads one entry of a server's list. The protocol's rules are kept where a tool could not be used otherwise; a field of
// another type is read as it was surely meant, or left out, and noted.
import { isObject, type JsonObject, kindOf } from '../protocol/json.js';

/** A tool with fields of the right types. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject | undefined;
  readonly annotations?: JsonObject | undefined;
}

/** A field that is not as the protocol has it. */
export interface Oddity {
  readonly field: string;
  /** What it is, and what became of it. */
  readonly note: string;
}

/** An entry that is no tool. */
export interface Unusable {
  readonly code: 'definition_not_usable' | 'name_not_usable' | 'schema_not_usable';
  readonly field: string;
}

export type ReadEntry =
  | { readonly tool: ListedTool; readonly oddities: readonly Oddity[] }
  | { readonly unusable: Unusable };

export interface ReadOptions {
  /** The protocol of 2026, in which output may be of any type. */
  readonly isModern: boolean;
}

const absent = 'is read as absent';

class Reader {
  readonly oddities: Oddity[] = [];

  odd(field: string, found: string, treatment: string): undefined {
    this.oddities.push({ field, note: `${field} is ${found} and ${treatment}.` });
  }

  text(field: string, value: unknown): string | undefined {
    if (value === undefined || typeof value === 'string') return value;
    if (typeof value !== 'number' && typeof value !== 'boolean')
      return this.odd(field, kindOf(value), absent);
    this.odd(field, kindOf(value), 'is read as a string');
    return String(value);
  }

  hint(field: string, value: unknown): boolean | undefined {
    if (value === undefined || typeof value === 'boolean') return value;
    const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
    if (word !== 'true' && word !== 'false') return this.odd(field, kindOf(value), absent);
    this.odd(field, kindOf(value), `is read as ${word}`);
    return word === 'true';
  }

  annotations(value: unknown): JsonObject | undefined {
    if (value === undefined) return undefined;
    if (!isObject(value)) return this.odd('annotations', kindOf(value), absent);
    const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
    const read: readonly (readonly [string, unknown])[] = [
      ['title', this.text('annotations.title', value.title)],
      ...hints.map((name) => [name, this.hint(`annotations.${name}`, value[name])] as const),
    ];
    return Object.fromEntries(read.filter(([, one]) => one !== undefined));
  }

  /** Undefined for a schema that no object of arguments fits. */
  inputSchema(value: unknown): JsonObject | undefined {
    const field = 'inputSchema';
    if (value === undefined || value === null || value === true) {
      this.odd(field, kindOf(value), 'is read as an object without rules');
      return { type: 'object' };
    }
    if (!isObject(value)) return undefined;
    const type = this.#objectType(value.type);
    if (type === undefined) return undefined;
    const { properties, required, ...others } = value;
    return {
      ...others,
      ...this.#properties(properties),
      ...this.#required(required),
      type,
    };
  }

  outputSchema(value: unknown, { isModern }: ReadOptions): JsonObject | undefined {
    if (value === undefined) return undefined;
    if (!isObject(value)) return this.odd('outputSchema', kindOf(value), absent);
    if (value.type !== 'object' && !isModern)
      this.odd('outputSchema.type', 'not "object"', 'does not matter: results are handed on as they come');
    return value;
  }

  /** Fields that the platform does not use. */
  unused({ icons, _meta, execution }: JsonObject): void {
    const areIcons =
      Array.isArray(icons) && icons.every((icon) => isObject(icon) && typeof icon.src === 'string');
    if (icons !== undefined && !areIcons) this.odd('icons', `${kindOf(icons)} but no icons`, 'is not used');
    for (const [field, value] of Object.entries({ _meta, execution }))
      if (value !== undefined && !isObject(value)) this.odd(field, kindOf(value), 'is not used');
  }

  #objectType(type: unknown): 'object' | undefined {
    if (type === 'object') return type;
    const isMeant = type === undefined || type === null || (Array.isArray(type) && type.includes('object'));
    if (!isMeant) return undefined;
    this.odd('inputSchema.type', kindOf(type), 'is read as "object"');
    return 'object';
  }

  #properties(value: unknown): JsonObject {
    if (value === undefined || isObject(value)) return value === undefined ? {} : { properties: value };
    this.odd('inputSchema.properties', kindOf(value), absent);
    return {};
  }

  #required(value: unknown): JsonObject {
    if (value === undefined) return {};
    const names = Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined;
    if (names === undefined) this.odd('inputSchema.required', kindOf(value), absent);
    else if (Array.isArray(value) && names.length < value.length)
      this.odd('inputSchema.required', 'not a list of strings', 'is read without the others');
    return names === undefined ? {} : { required: names };
  }
}

/** @param place the number of the entry in its list, from 0 */
export const readEntry = (entry: unknown, place: number, options: ReadOptions): ReadEntry => {
  if (!isObject(entry)) return { unusable: { code: 'definition_not_usable', field: `tools[${place}]` } };
  const { name } = entry;
  if (typeof name !== 'string')
    return { unusable: { code: 'name_not_usable', field: `tools[${place}].name` } };
  const reader = new Reader();
  const inputSchema = reader.inputSchema(entry.inputSchema);
  if (inputSchema === undefined) return { unusable: { code: 'schema_not_usable', field: 'inputSchema' } };
  const tool: ListedTool = {
    name,
    inputSchema,
    title: reader.text('title', entry.title),
    description: reader.text('description', entry.description),
    outputSchema: reader.outputSchema(entry.outputSchema, options),
    annotations: reader.annotations(entry.annotations),
  };
  reader.unused(entry);
  return { tool, oddities: reader.oddities };
};
