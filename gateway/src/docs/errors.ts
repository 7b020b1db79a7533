// The errors of the document: one schema of all of them, and a response for each status that an operation can answer.
import { ErrorBody, IssueShape } from '@parlance/contracts';
import { type ErrorCode, errorCodes } from '@parlance/errors';
import { z } from 'zod';
import { rateHeaders } from './parts.js';
import { isObject, type Json, reference, type Schemas } from './schemas.js';

const capitalized = (word: string): string => `${word.charAt(0)}${word.slice(1).toLowerCase()}`;

/** The component of a response with this code alone: `CallNotFound` for `CALL_NOT_FOUND`. */
const responseName = (code: ErrorCode): string => code.split('_').map(capitalized).join('');

const waitStatuses: ReadonlySet<number> = new Set([429, 503]);

const headersOf = (status: number, counted: boolean): Json => ({
  'X-Request-Id': reference('headers', 'RequestId'),
  ...(waitStatuses.has(status) ? { 'Retry-After': reference('headers', 'RetryAfter') } : {}),
  ...(counted && status < 500 ? rateHeaders : {}),
});

const responseOf = (status: number, codes: readonly ErrorCode[], counted: boolean): Json => ({
  description: codes.map((code) => `\`${code}\`: ${errorCodes[code].message}`).join('\n\n'),
  headers: headersOf(status, counted),
  content: { 'application/json': { schema: reference('schemas', 'ErrorResponse') } },
  'x-codes': codes,
});

/**
 * The responses of failures. A status with one code alone is a component, because most operations share it.
 */
export class ErrorResponses {
  readonly #shared = new Map<string, Json>();

  /**
   * One response per status of these codes.
   * @param counted false for an operation without a rate limit
   */
  of(given: readonly ErrorCode[], counted = true): Json {
    const codes = [...new Set(given)];
    const statuses = [...new Set(codes.map((code) => errorCodes[code].status))].sort(
      (left, right) => left - right,
    );
    return Object.fromEntries(
      statuses.map((status) => [
        String(status),
        this.#response(
          status,
          codes.filter((code) => errorCodes[code].status === status),
          counted,
        ),
      ]),
    );
  }

  /** The shared responses collected so far, by name. */
  components(): Json {
    return Object.fromEntries([...this.#shared].sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  #response(status: number, codes: readonly ErrorCode[], counted: boolean): Json {
    const [code] = codes;
    if (code === undefined || codes.length > 1 || !counted) return responseOf(status, codes, counted);
    const name = responseName(code);
    this.#shared.set(name, responseOf(status, codes, counted));
    return reference('responses', name);
  }
}

// A closed list would make each new code a breaking change for generated clients.
const codeSchema: Json = {
  type: 'string',
  description:
    'What went wrong, for programs. Each response lists the codes it can have. New codes may be added: treat one that you do not know by its status.',
  'x-extensible-enum': Object.keys(errorCodes),
};

const detailsSchema: Json = {
  type: 'object',
  additionalProperties: true,
  description: 'Facts about this error. `VALIDATION_ERROR` lists what is wrong with the request in `issues`.',
  properties: { issues: { type: 'array', items: { $ref: '#/components/schemas/Issue' } } },
};

/** The schemas of errors, by name. */
export const errorSchemas = (schemas: Schemas): Json => {
  schemas.of(ErrorBody, 'output');
  schemas.of(z.array(IssueShape), 'output');
  const { ErrorResponse: shape, Issue } = schemas.components();
  const { properties, ...rest } = isObject(shape) ? shape : {};
  const { error, ...others } = isObject(properties) ? properties : {};
  const { properties: members, ...inner } = isObject(error) ? error : {};
  const narrowed = { ...Object(members), code: codeSchema, details: detailsSchema };
  const ErrorResponse = { ...rest, properties: { ...others, error: { ...inner, properties: narrowed } } };
  return { ErrorResponse, Issue };
};
