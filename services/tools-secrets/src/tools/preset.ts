// Turns a text into a value of a parameter's type. Presets need this, because a template always makes a text.
import type { ToolParameter } from '@parlance/contracts';
import { isWholeNumber, LosslessNumber, parseJson } from '@parlance/json';

type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

const parsed = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

const isNumber = (value: unknown): value is number | LosslessNumber =>
  value instanceof LosslessNumber || (typeof value === 'number' && Number.isFinite(value));

export const isOfType = (type: ToolParameter['type'], value: unknown): value is JsonValue => {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'number':
      return isNumber(value);
    case 'integer':
      return isNumber(value) && isWholeNumber(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return (
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        !(value instanceof LosslessNumber)
      );
  }
};

/** Undefined when the text is no value of this type. */
export const typedPreset = (type: ToolParameter['type'], text: string): JsonValue | undefined => {
  if (type === 'string') return text;
  const value = parsed(text.trim());
  return isOfType(type, value) ? value : undefined;
};
