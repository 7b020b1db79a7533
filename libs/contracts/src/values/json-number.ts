// Numbers of foreign JSON in the schemas of the contract. A free value keeps a lossless number; a field of type number gets
// the nearest double, so that 1.0 is as good as 1 there.
import { hasLosslessNumber, LosslessNumber, withDoubles } from '@parlance/json';
import { z } from 'zod';

/** The lossless numbers that free values took, while `parseLossless` looks for them. */
let taken: Set<LosslessNumber> | undefined;

const isNumber = (value: unknown): boolean => {
  if (value instanceof LosslessNumber) {
    taken?.add(value);
    return true;
  }
  return typeof value === 'number' && Number.isFinite(value);
};

const custom = z.custom<number>(isNumber, 'Invalid input: expected number');
custom._zod.toJSONSchema = () => ({ type: 'number' });

/** A number inside a free JSON value: a double, or a lossless number. Its static type is that of a JSON number. */
export const jsonNumber: z.ZodType<number, number> = custom;

/**
 * Parses a value that may hold lossless numbers. Only free JSON values keep them. A first pass finds those values; every
 * other number becomes a double before the pass that counts.
 */
export const parseLossless = <T extends z.ZodType>(
  schema: T,
  value: unknown,
): z.ZodSafeParseResult<z.output<T>> => {
  if (!hasLosslessNumber(value)) return schema.safeParse(value);
  const kept = new Set<LosslessNumber>();
  taken = kept;
  try {
    schema.safeParse(value);
  } finally {
    taken = undefined;
  }
  return schema.safeParse(withDoubles(value, (number) => !kept.has(number)));
};
