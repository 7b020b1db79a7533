// The part of JSON Schema that the schemas of the contract become.

/** A JSON Schema object. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  /** A schema that nothing fits. */
  readonly not?: Schema;
}

/** Schemas by the name after `#/$defs/`. */
export type Definitions = Readonly<Record<string, Schema>>;

export const refPrefix = '#/$defs/';

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
};

/** The same text for values that differ in nothing but the order of keys. */
export const canonical = (value: unknown): string => JSON.stringify(sorted(value));

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return typeof value;
};

/** Types that a value of the type also is. */
export const typeFits = (type: string, wanted: readonly string[]): boolean =>
  wanted.includes(type) || (type === 'integer' && wanted.includes('number'));

export const typesOf = ({ type }: Schema): readonly string[] | undefined =>
  typeof type === 'string' ? [type] : type;

/** The values of an enumeration or a constant; undefined where any may come. */
export const valuesOf = (schema: Schema): readonly unknown[] | undefined =>
  'const' in schema ? [schema.const] : schema.enum;

/** A value of an enumeration as a schema that says all about it. */
export const schemaOfValue = (value: unknown): Schema => ({
  type: typeOf(value),
  const: value,
  ...(typeof value === 'string' ? { minLength: value.length, maxLength: value.length } : {}),
  ...(typeof value === 'number' ? { minimum: value, maximum: value } : {}),
});
