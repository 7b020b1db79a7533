// JSON Schema, as the interface document has it, as TypeScript.
import { isObject, type Json } from './document.js';

const prefix = '#/components/schemas/';
const identifier = /^[A-Za-z_$][\w$]*$/;

export const keyOf = (name: string): string => (identifier.test(name) ? name : JSON.stringify(name));

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** Sentences as a comment for editors; nothing where there are none. */
export const commentOf = (...sentences: readonly (string | undefined)[]): string => {
  const text = sentences.filter((sentence) => sentence !== undefined && sentence !== '').join('\n\n');
  if (text === '') return '';
  const lines = text.replaceAll('*/', '* /').split('\n');
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
};

/** One member of an object type. */
export const memberOf = (
  name: string,
  type: string,
  { isOptional = false, comment = '' }: { readonly isOptional?: boolean; readonly comment?: string } = {},
): string => `${comment}${keyOf(name)}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''};`;

export const objectOf = (members: readonly string[]): string =>
  members.length === 0 ? 'Record<string, never>' : `{\n  ${indented(members.join('\n'))}\n}`;

const schemasIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ');

const inArray = (type: string): string => (/^[\w$.]+$/.test(type) ? `${type}[]` : `Array<${type}>`);

const boundsOf = ({
  minimum,
  maximum,
  minLength,
  maxLength,
  minItems,
  maxItems,
}: Json): string | undefined => {
  const range = (least: unknown, most: unknown, unit: string): string | undefined => {
    if (least === undefined && most === undefined) return undefined;
    if (most === undefined) return `At least ${least}${unit}.`;
    return least === undefined ? `At most ${most}${unit}.` : `From ${least} to ${most}${unit}.`;
  };
  return (
    range(minimum, maximum, '') ??
    range(minLength, maxLength, ' characters') ??
    range(minItems, maxItems, ' items')
  );
};

const sentence = (text: string): string => {
  const whole = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
};

const defaultOf = ({ default: value }: Json): string | undefined =>
  value === undefined || value === null || typeof value === 'object'
    ? undefined
    : `\`${value}\` unless given.`;

/** The comment of a field, from its description, its bounds and, where it may be left out, its default. */
export const commentOfSchema = (schema: Json, isOptional = false): string => {
  const { description } = schema;
  const said = typeof description === 'string' ? sentence(description) : undefined;
  const fallback = isOptional ? defaultOf(schema) : undefined;
  const parts = [said, boundsOf(schema), fallback].filter((part) => part !== undefined);
  return commentOf(parts.join(' '));
};

const recordOf = ({ additionalProperties, propertyNames, required }: Json): string => {
  const value = isObject(additionalProperties) ? typeOf(additionalProperties) : 'unknown';
  const names = isObject(propertyNames) ? propertyNames : {};
  const isNamed = Array.isArray(names.enum) || typeof names.$ref === 'string';
  // An index signature, because `Record` cannot refer to the type that it is part of.
  if (!isNamed) return `{ [key: string]: ${value} }`;
  const record = `Record<${typeOf(names)}, ${value}>`;
  return Array.isArray(required) ? record : `Partial<${record}>`;
};

const objectTypeOf = (schema: Json): string => {
  const { properties, required, additionalProperties } = schema;
  if (!isObject(properties) || Object.keys(properties).length === 0) {
    return additionalProperties === false || additionalProperties === undefined
      ? 'Record<string, never>'
      : recordOf(schema);
  }
  const certain = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(properties).map(([name, property]) => {
    const field = isObject(property) ? property : {};
    const isOptional = !certain.has(name);
    return memberOf(name, typeOf(field), { isOptional, comment: commentOfSchema(field, isOptional) });
  });
  return isObject(additionalProperties) || additionalProperties === true
    ? `Open<${objectOf(members)}>`
    : objectOf(members);
};

const tupleOf = ({ prefixItems, items }: Json): string => {
  const places = schemasIn(prefixItems).map(typeOf);
  return `[${[...places, ...(isObject(items) ? [`...${inArray(typeOf(items))}`] : [])].join(', ')}]`;
};

const simpleTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const typeNamed = (name: unknown, schema: Json): string => {
  if (name === 'object') return objectTypeOf(schema);
  if (name !== 'array') return simpleTypes[String(name)] ?? 'unknown';
  if (schema.prefixItems !== undefined) return tupleOf(schema);
  return inArray(isObject(schema.items) ? typeOf(schema.items) : 'unknown');
};

/** The type of the values that a schema describes. */
export const typeOf = (schema: Json): string => {
  const {
    $ref,
    'x-const': onlyBoolean,
    const: only = onlyBoolean,
    enum: members,
    anyOf,
    oneOf,
    allOf,
    type,
  } = schema;
  if (typeof $ref === 'string') return $ref.slice(prefix.length);
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(members)) return unionOf(members.map((member) => JSON.stringify(member)));
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return unionOf(schemasIn(choices).map(typeOf));
  if (allOf !== undefined) return schemasIn(allOf).map(typeOf).join(' & ');
  return Array.isArray(type) ? unionOf(type.map((name) => typeNamed(name, schema))) : typeNamed(type, schema);
};

// A named schema without a condition takes every JSON value.
const anyJsonNamed = (name: string): string =>
  `string | number | boolean | null | ${name}[] | { [key: string]: ${name} }`;

const hasCondition = ({ description: _words, ...conditions }: Json): boolean =>
  Object.keys(conditions).length > 0;

/** The declaration of a named type. */
export const declarationOf = (name: string, schema: Json): string => {
  const type = hasCondition(schema) ? typeOf(schema) : anyJsonNamed(name);
  const isInterface = schema.type === 'object' && type.startsWith('{\n');
  const declaration = isInterface ? `interface ${name} ${type}` : `type ${name} = ${type};`;
  return `${commentOfSchema(schema)}export ${declaration}\n`;
};
