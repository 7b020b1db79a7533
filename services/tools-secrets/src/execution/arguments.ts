// Judges the arguments that a model made against the parameters of the tool, before anything is sent.
import type { ToolParameter, ToolRun } from '@parlance/contracts';
import { typedPreset } from '../tools/preset.js';

export type Json = ToolRun['result'];
export type Arguments = ReadonlyMap<string, Json>;

/** The arguments do not fit the parameters. The model reads the message, so that it can correct them. */
export class UnfitArguments extends Error {
  override readonly name = 'UnfitArguments';
}

const maxBytes = 65_536;

const isType = (type: ToolParameter['type'], value: Json): boolean => {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
  }
};

const isAllowed = ({ type, enum: allowed }: ToolParameter, value: Json): boolean =>
  allowed === undefined || allowed.some((text) => typedPreset(type, text) === value);

const problemOf = (parameter: ToolParameter, value: Json | undefined): string | undefined => {
  const { name, type, required, enum: allowed } = parameter;
  if (value === undefined || value === null) return required ? `${name} is missing` : undefined;
  if (!isType(type, value)) return `${name} must be of type ${type}`;
  return isAllowed(parameter, value) ? undefined : `${name} must be one of: ${allowed?.join(', ')}`;
};

/**
 * The arguments that the model gave. A null counts as a missing argument.
 * @throws UnfitArguments with the first twenty problems
 */
export const checkArguments = (
  parameters: readonly ToolParameter[],
  given: Readonly<Record<string, Json>>,
): Arguments => {
  if (Buffer.byteLength(JSON.stringify(given)) > maxBytes) {
    throw new UnfitArguments(`arguments have at most ${maxBytes} bytes`);
  }
  const filled = parameters.filter(({ source }) => source === 'model');
  const known = new Set(filled.map(({ name }) => name));
  const argumentOf = (name: string): Json | undefined =>
    Object.hasOwn(given, name) ? given[name] : undefined;
  const problems = [
    ...Object.keys(given)
      .filter((name) => !known.has(name))
      .map((name) => `${JSON.stringify(name.slice(0, 64))} is no parameter`),
    ...filled.flatMap((parameter) => problemOf(parameter, argumentOf(parameter.name)) ?? []),
  ];
  if (problems.length > 0) throw new UnfitArguments(problems.slice(0, 20).join('; '));
  return new Map(
    filled.flatMap(({ name }) => {
      const value = argumentOf(name);
      return value === undefined || value === null ? [] : [[name, value] as const];
    }),
  );
};
