// Arguments of a tool as people type them.
import type { Tool } from '@modelcontextprotocol/client';
import { Mendable } from '../settings.js';

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const typesOf = (schema: unknown): readonly unknown[] => {
  const { type, anyOf }: { type?: unknown; anyOf?: unknown } = Object(schema);
  if (Array.isArray(anyOf)) return anyOf.flatMap(typesOf);
  return Array.isArray(type) ? type : [type];
};

/** The value of a text from the command line. A text stays a text where the tool wants one, such as a telephone number. */
const valueFrom = (text: string, schema: unknown): unknown => {
  const types = typesOf(schema);
  const value = asJson(text);
  if (types.includes('string') && !(value === null && types.includes('null'))) return text;
  return value;
};

/**
 * @param json one object with all arguments
 * @param pairs `name=value`, which win over the object
 * @throws Mendable for a text that is neither
 */
export const readArguments = (
  tool: Tool,
  json: string | undefined,
  pairs: readonly string[],
): Record<string, unknown> => {
  const whole: unknown = json === undefined ? {} : asJson(json);
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole))
    throw new Mendable('--json takes one JSON object, such as --json \'{"name":"Front desk"}\'.');
  const properties: Readonly<Record<string, unknown>> = Object(tool.inputSchema.properties);
  const named = pairs.map((pair): [string, unknown] => {
    const [, name, text] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined || text === undefined)
      throw new Mendable(`--arg takes name=value, such as --arg isActive=true, not "${pair}".`);
    if (!Object.hasOwn(properties, name))
      throw new Mendable(
        `${tool.name} takes no ${name}. It takes: ${Object.keys(properties).join(', ') || 'nothing'}.`,
      );
    return [name, valueFrom(text, properties[name])];
  });
  return { ...whole, ...Object.fromEntries(named) };
};
