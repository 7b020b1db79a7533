// The paths under /auth in the OpenAPI document, from the rows of the door. Their answers stand without the envelope
// that operations of the contract have; their errors are the same.

import { type AuthOperation, authBodyLimit, authOperations } from '@parlance/contracts';
import type { ErrorCode } from '@parlance/errors';
import { z } from 'zod';
import type { ErrorResponses } from './errors.js';
import { exampleFor } from './examples.js';
import { parameterOf } from './parameters.js';
import { anybody, rateHeaders, requestBodyOf, withExample } from './parts.js';
import { recorded, recordedAnswer } from './recorded.js';
import { type Json, reference, type Schemas } from './schemas.js';

const tag = 'auth';

const accessCodes: Readonly<Record<AuthOperation['who'], readonly ErrorCode[]>> = {
  anybody: ['ORIGIN_NOT_ALLOWED'],
  person: ['UNAUTHENTICATED', 'OWNER_SESSION_REQUIRED', 'ORIGIN_NOT_ALLOWED'],
  ownerOrAdmin: ['UNAUTHENTICATED', 'OWNER_SESSION_REQUIRED', 'NO_ACTIVE_ORGANIZATION', 'ORIGIN_NOT_ALLOWED'],
};

const codesOf = ({ method, who, errors, ...row }: AuthOperation): readonly ErrorCode[] => [
  'VALIDATION_ERROR',
  ...(method === 'POST'
    ? (['MALFORMED_JSON', 'JSON_TOO_DEEP', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)
    : []),
  ...(row.idempotent === true
    ? (['IDEMPOTENCY_KEY_INVALID', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS'] as const)
    : []),
  ...accessCodes[who],
  ...(who === 'ownerOrAdmin' || row.secondFactor === true ? (['SECOND_FACTOR_REQUIRED'] as const) : []),
  ...(row.verified === true ? (['EMAIL_NOT_VERIFIED'] as const) : []),
  ...errors,
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];

const parameters = ({ id, query, idempotent }: AuthOperation, schemas: Schemas): Json => {
  const fields = Object.entries(query?.shape ?? {}).map(([name, field]) => {
    const type = field as z.ZodType; // fields of our own objects
    const required = !type.safeParse(undefined).success;
    return parameterOf('query', name, { id, required, field: schemas.of(type, 'input') });
  });
  if (idempotent === true) fields.push(reference('parameters', 'IdempotencyKey'));
  return fields.length === 0 ? {} : { parameters: fields };
};

const requestBody = ({ id, body }: AuthOperation, schemas: Schemas): Json => {
  if (body === undefined) return {};
  const schema = schemas.of(body, 'input');
  const example = recorded().operations[id]?.body ?? exampleFor(schema, schemas.components(), body);
  return { requestBody: requestBodyOf(schema, { required: true, limitBytes: authBodyLimit, example }) };
};

const success = (row: AuthOperation, schemas: Schemas): Json => {
  const headers = { 'X-Request-Id': reference('headers', 'RequestId'), ...rateHeaders };
  if (row.page === true)
    return { description: row.summary, headers, content: { 'text/html': { schema: { type: 'string' } } } };
  const schema = schemas.of(row.answer, 'output');
  const example = recordedAnswer(row.id, 200) ?? exampleFor(schema, schemas.components(), row.answer);
  return {
    description: row.summary,
    headers,
    content: { 'application/json': { schema, ...withExample(example) } },
  };
};

const describe = (row: AuthOperation, schemas: Schemas, errors: ErrorResponses): Json => ({
  operationId: row.id,
  tags: [tag],
  summary: row.summary,
  description: row.description,
  security: row.who === 'anybody' ? anybody : [{ session: [] }],
  ...parameters(row, schemas),
  ...requestBody(row, schemas),
  responses: { '200': success(row, schemas), ...errors.of(codesOf(row)) },
  'x-who': row.who,
  'x-parlance-extension': true,
});

/** Path items by path. */
export const authPathItems = (schemas: Schemas, errors: ErrorResponses): Record<string, Json> => {
  const paths: Record<string, Json> = {};
  for (const row of authOperations) {
    const path = `/auth${row.path}`;
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: describe(row, schemas, errors) };
  }
  return paths;
};
