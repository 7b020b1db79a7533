// Turns the parts of a request into the input of a handler, by the schemas of its operation. The schemas are picked
// once per route; a part that an operation does not take must be empty.
import { type Input, type Operation, parseLossless } from '@parlance/contracts';
import { validationError } from '@parlance/errors';
import { LosslessNumber } from '@parlance/json';
import { z } from 'zod';
import { type Findings, validationFailure } from './issues.js';
import { findHarm } from './json-guard.js';

export interface RawParts {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Undefined when the request has none. */
  readonly body: unknown;
}

/** @throws AppError VALIDATION_ERROR, or the code that a schema asks for */
export type InputParser = (parts: RawParts) => Input<Operation>;

const nothing = z.strictObject({});

const isEmpty = (part: unknown): boolean =>
  part === undefined ||
  (typeof part === 'object' &&
    part !== null &&
    !Array.isArray(part) &&
    !(part instanceof LosslessNumber) &&
    Object.keys(part).length === 0);

const refuseHarm = (part: unknown, root: string): void => {
  const harm = findHarm(part, root);
  if (harm !== undefined) throw validationError([harm]);
};

const parsePart = (
  schema: z.ZodType | undefined,
  value: unknown,
  root: string,
  findings: Findings[],
): unknown => {
  if (schema === undefined && isEmpty(value)) return {};
  const parsed = parseLossless(schema ?? nothing, value === undefined ? {} : value);
  if (parsed.success) return parsed.data;
  findings.push({ root, issues: parsed.error.issues });
  return undefined;
};

export const inputParser =
  ({ params, query, body }: Pick<Operation, 'params' | 'query' | 'body'>): InputParser =>
  (parts) => {
    refuseHarm(parts.params, 'params');
    refuseHarm(parts.query, 'query');
    const findings: Findings[] = [];
    const input = {
      params: parsePart(params, parts.params, 'params', findings),
      query: parsePart(query, parts.query, 'query', findings),
      body: parsePart(body, parts.body, 'body', findings),
    };
    if (findings.length > 0) throw validationFailure(findings);
    return input as Input<Operation>; // the operation's own schemas made it
  };
