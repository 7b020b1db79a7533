// Turns a text into a value of a parameter's type. Presets need this, because a template always makes a text.
import type { ToolParameter } from '@parlance/contracts';

type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is { [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined when the text is no value of this type. */
export const typedPreset = (type: ToolParameter['type'], text: string): JsonValue | undefined => {
  if (type === 'string') return text;
  const value = parsed(text.trim());
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
    case 'array':
      return Array.isArray(value) ? value : undefined;
    case 'object':
      return isObject(value) ? value : undefined;
  }
};
