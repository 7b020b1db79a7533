// One schema per error code, so that each response says by its type which codes it can have.
import { type ErrorCode, errorCodes, isErrorCode } from '@parlance/errors';
import { isObject, type Json } from './schemas.js';

const capitalized = (word: string): string => `${word.charAt(0)}${word.slice(1).toLowerCase()}`;

/** The component of a code: `ErrorCallNotFound` for `CALL_NOT_FOUND`. */
export const errorSchemaName = (code: ErrorCode): string =>
  `Error${code.split('_').map(capitalized).join('')}`;

// Only this code has details of a shape that is the same everywhere.
const validationDetails: Json = {
  type: 'object',
  properties: { issues: { type: 'array', items: { $ref: '#/components/schemas/Issue' } } },
  required: ['issues'],
};

const withCode = (shape: Json, code: ErrorCode): Json => {
  const properties = isObject(shape.properties) ? shape.properties : {};
  const error = isObject(properties.error) ? properties.error : {};
  const members = isObject(error.properties) ? error.properties : {};
  const narrowed = {
    ...members,
    code: { type: 'string', const: code },
    ...(code === 'VALIDATION_ERROR' ? { details: validationDetails } : {}),
  };
  return {
    ...shape,
    description: errorCodes[code].message,
    properties: { ...properties, error: { ...error, properties: narrowed } },
  };
};

const codesIn = (paths: Readonly<Record<string, Json>>): ErrorCode[] =>
  Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) =>
      isObject(operation) && isObject(operation.responses) ? [operation.responses] : [],
    )
    .flatMap((responses) => Object.values(responses))
    .flatMap((response) => (isObject(response) ? [response['x-codes']].flat() : []))
    .filter((code) => typeof code === 'string')
    .filter(isErrorCode);

/**
 * The schemas of the codes that these paths can answer, by name.
 * @param shape the schema of an error of any code
 */
export const errorSchemas = (paths: Readonly<Record<string, Json>>, shape: Json): Json => {
  const codes = [...new Set(codesIn(paths))].sort();
  return Object.fromEntries(codes.map((code) => [errorSchemaName(code), withCode(shape, code)]));
};
