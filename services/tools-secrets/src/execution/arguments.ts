// Judges the arguments that a model made against the parameters of the tool, before anything is sent.
import type { ToolParameter, ToolRun } from '@parlance/contracts';
import { isSameNumber, LosslessNumber, stringifyJson } from '@parlance/json';
import { isOfType, typedPreset } from '../tools/preset.js';

export type Json = ToolRun['result'];
export type Arguments = ReadonlyMap<string, Json>;

/** The arguments do not fit the parameters. The model reads the message, so that it can correct them. */
export class UnfitArguments extends Error {
  override readonly name = 'UnfitArguments';
}

const maxBytes = 65_536;

const isNumber = (value: Json | undefined): value is number =>
  typeof value === 'number' || value instanceof LosslessNumber;

const isSame = (one: Json | undefined, other: Json): boolean =>
  isNumber(one) && isNumber(other) ? isSameNumber(one, other) : one === other;

const isAllowed = ({ type, enum: allowed }: ToolParameter, value: Json): boolean =>
  allowed === undefined || allowed.some((text) => isSame(typedPreset(type, text), value));

/** A model may write an integer as 1.0 or 1E3, which other systems may not take for one. */
const written = (type: ToolParameter['type'], value: Json): Json =>
  type === 'integer' && value instanceof LosslessNumber && isSameNumber(value, Number(value))
    ? Number(value)
    : value;

const problemOf = (parameter: ToolParameter, value: Json | undefined): string | undefined => {
  const { name, type, required, enum: allowed } = parameter;
  if (value === undefined || value === null) return required ? `${name} is missing` : undefined;
  if (!isOfType(type, value)) return `${name} must be of type ${type}`;
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
  if (Buffer.byteLength(stringifyJson(given)) > maxBytes) {
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
    filled.flatMap(({ name, type }) => {
      const value = argumentOf(name);
      return value === undefined || value === null ? [] : [[name, written(type, value)] as const];
    }),
  );
};
