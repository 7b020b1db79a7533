// The contract, and the door at /auth/*, as an OpenAPI 3.1 document. Served at /docs.json and committed as docs/openapi.json.
import {
  apiVersion,
  type Deprecated,
  isReleased,
  isStreaming,
  needsVerified,
  type Operation,
  operations,
  StreamFailure,
  type StreamingRow,
  takesIdempotencyKey,
  WebhookMessage,
  webhookMessages,
} from '@parlance/contracts';
import type { ErrorCode } from '@parlance/errors';
import { z } from 'zod';
import { authPathItems } from './auth-paths.js';
import { withBounds } from './bounds.js';
import { ErrorResponses, errorSchemas } from './errors.js';
import { exampleFor } from './examples.js';
import { introduction } from './introduction.js';
import { parameterOf } from './parameters.js';
import { anybody, concurrencyHeaders, rateHeaders, requestBodyOf, withExample } from './parts.js';
import { recorded, recordedAnswer } from './recorded.js';
import { type Json, reference, Schemas } from './schemas.js';
import { tags } from './tags.js';

/** Codes that an operation can answer independent of its own work. */
const commonCodes = (row: Operation): readonly ErrorCode[] => {
  const { auth, method } = row;
  if (auth.kind === 'none') return ['VALIDATION_ERROR', 'NOT_ACCEPTABLE', 'INTERNAL_ERROR'];
  const takesBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  return [
    'VALIDATION_ERROR',
    ...(takesBody
      ? (['MALFORMED_JSON', 'JSON_TOO_DEEP', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)
      : []),
    ...(takesIdempotencyKey(row)
      ? (['IDEMPOTENCY_KEY_INVALID', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS'] as const)
      : []),
    ...accessCodes(auth),
    ...(needsVerified(row) ? (['EMAIL_NOT_VERIFIED'] as const) : []),
    'NOT_ACCEPTABLE',
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    ...(isReleased(row) ? [] : (['NOT_IMPLEMENTED'] as const)),
    'SERVICE_UNAVAILABLE',
    'UPSTREAM_TIMEOUT',
  ];
};

const sessionCodes = ['NO_ACTIVE_ORGANIZATION', 'ORIGIN_NOT_ALLOWED', 'SECOND_FACTOR_REQUIRED'] as const;

const accessCodes = (auth: Operation['auth']): readonly ErrorCode[] => {
  const { kind } = auth;
  if (kind === 'org') return ['UNAUTHENTICATED', 'PERMISSION_DENIED', ...sessionCodes];
  if (kind === 'member') return ['UNAUTHENTICATED', ...sessionCodes];
  if (kind === 'orgAdmin') return ['UNAUTHENTICATED', 'OWNER_SESSION_REQUIRED', ...sessionCodes];
  if (auth.kind === 'call')
    return auth.withInternalKey === true ? ['INVALID_INTERNAL_KEY', 'UNAUTHENTICATED'] : ['UNAUTHENTICATED'];
  return kind === 'internal' ? ['INVALID_INTERNAL_KEY'] : [];
};

const envelopeSchema = (row: Operation, data: Json): Json => {
  const hasData = !(row.data instanceof z.ZodUndefined);
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean', description: 'Always true.', 'x-const': true },
      message: { type: 'string' },
      ...(hasData ? { data } : {}),
      ...(row.paged ? { nextCursor: { type: 'string', description: 'only while there is more' } } : {}),
    },
    required: ['success', 'message', ...(hasData ? ['data'] : [])],
  };
};

class Document {
  readonly #schemas = new Schemas();
  readonly #errors = new ErrorResponses();

  build(rows: readonly Operation[], server: Json): Json {
    const paths: Record<string, Json> = {};
    const errors = errorSchemas(this.#schemas);
    for (const row of rows) {
      paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: this.#operation(row) };
    }
    Object.assign(paths, authPathItems(this.#schemas, this.#errors));
    const webhooks = this.#webhooks();
    return {
      openapi: '3.1.0',
      info: {
        title: 'Parlance',
        version: apiVersion,
        description: introduction,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [server],
      tags,
      paths,
      webhooks,
      components: {
        ...fixedComponents,
        responses: this.#errors.components(),
        schemas: { ...this.#schemas.components(), ...errors },
      },
    };
  }

  /** The requests that the platform makes, to addresses that organizations configure. */
  #webhooks(): Json {
    this.#schemas.of(z.array(WebhookMessage), 'output');
    return Object.fromEntries(
      Object.entries(webhookMessages).map(([name, { schema, summary }]) => [
        name,
        { post: webhookOf(name, summary, this.#schemas.of(schema, 'output')) },
      ]),
    );
  }

  #operation(row: Operation): Json {
    return {
      operationId: row.id,
      tags: [tagOf(row)],
      summary: row.summary,
      description: descriptionOf(row),
      security: securityOf(row),
      ...this.#parameters(row),
      ...this.#requestBody(row),
      responses: {
        [String(row.success)]: this.#success(row),
        ...this.#repeated(row),
        ...this.#errors.of([...commonCodes(row), ...row.errors], row.bucket !== 'none'),
      },
      'x-mcp': row.mcp,
      ...permissionsOf(row),
      ...(row.bucket === 'none' ? {} : { 'x-rate-limit': row.bucket }),
      ...(row.repeats ? { 'x-rate-limit-of-repeats': row.repeats } : {}),
      ...(row.acts ? { 'x-permission-of-members': row.acts } : {}),
      ...(needsVerified(row) ? { 'x-verified-address': true } : {}),
      ...deprecationOf(row),
      ...(row.extension ? { 'x-parlance-extension': true } : {}),
      ...(isReleased(row) ? {} : { 'x-not-implemented': true }),
    };
  }

  #parameters(row: Operation): Json {
    const parameters = [
      ...this.#parametersIn('path', row.id, row.params),
      ...this.#parametersIn('query', row.id, row.query),
      ...this.#headerParameters(row),
    ];
    if (takesIdempotencyKey(row)) parameters.push(reference('parameters', 'IdempotencyKey'));
    return parameters.length === 0 ? {} : { parameters };
  }

  #parametersIn(place: 'path' | 'query', id: string, part: z.ZodObject | undefined): Json[] {
    return Object.entries(part?.shape ?? {}).map(([name, field]) => {
      const required = place === 'path' || !(field instanceof z.ZodOptional || field instanceof z.ZodDefault);
      return parameterOf(place, name, { id, required, field: this.#schemas.of(field as z.ZodType, 'input') }); // fields of our own objects
    });
  }

  #headerParameters({ headerFields = {}, body }: Operation): Json[] {
    if (!(body instanceof z.ZodObject)) return [];
    return Object.entries(headerFields).map(([name, field]) => {
      const { description: _, ...schema } = this.#schemas.of(body.shape[field], 'input');
      return { name, in: 'header', description: `instead of \`${field}\` in the body`, schema };
    });
  }

  #requestBody({ id, body, bodyLimitBytes }: Operation): Json {
    if (body === undefined) return {};
    const schema = this.#schemas.of(body, 'input');
    const example = recorded().operations[id]?.body ?? exampleFor(schema, this.#schemas.components(), body);
    const required = !body.safeParse({}).success;
    return { requestBody: requestBodyOf(schema, { required, limitBytes: bodyLimitBytes, example }) };
  }

  #success(row: Operation): Json {
    if (row.download !== undefined) return file(row, row.download);
    return isStreaming(row) ? this.#stream(row) : this.#envelope(row);
  }

  /** One event after the other; the schema is that of one event. */
  #stream(row: StreamingRow): Json {
    const events = Object.entries({ ...row.stream, error: StreamFailure }).map(([event, data]) => ({
      type: 'object',
      properties: { event: { type: 'string', const: event }, data: this.#schemas.of(data, 'output') },
      required: ['event', 'data'],
    }));
    return {
      description: `${row.message}, as server-sent events. A stream that fails ends with the event \`error\`.`,
      headers: { 'X-Request-Id': reference('headers', 'RequestId'), ...rateHeaders },
      content: {
        'text/event-stream': {
          // The schema is the one of an event, and the example is the text of a stream. So it stands outside of `example`.
          schema: { oneOf: events },
          ...streamExample(row),
        },
      },
    };
  }

  #envelope(row: Operation): Json {
    const data = { ...this.#schemas.of(row.data, 'output'), ...this.#pageBound(row) };
    const schema = envelopeSchema(row, data);
    const example = recordedAnswer(row.id, row.success) ?? this.#sample(row, data);
    return {
      description: row.message,
      headers: {
        'X-Request-Id': reference('headers', 'RequestId'),
        ...(row.bucket === 'none' ? {} : rateHeaders),
        ...(row.dials ? concurrencyHeaders : {}),
      },
      content: { 'application/json': { schema, ...withExample(example) } },
    };
  }

  /** A page has at most as many elements as its caller may ask for. */
  #pageBound({ paged, query }: Operation): Json {
    const limit: z.ZodType | undefined = query?.shape.limit;
    return paged && limit !== undefined ? { maxItems: this.#schemas.of(limit, 'input').maximum } : {};
  }

  #sample(row: Operation, data: Json): unknown {
    const sample = exampleFor(data, this.#schemas.components(), row.data);
    return sample === undefined ? undefined : { success: true, message: row.message, data: sample };
  }

  #repeated(row: Operation): Json {
    if (row.repeatedSuccess === undefined || row.repeatedSuccess === row.success) return {};
    return {
      [String(row.repeatedSuccess)]: {
        ...this.#success(row),
        description: `${row.message} before; nothing new happened`,
      },
    };
  }
}

const file = (row: Operation, { contentType, fileName }: NonNullable<Operation['download']>): Json => ({
  description: `${row.message}, as the file ${fileName}, which is sent while it is made.`,
  headers: { 'X-Request-Id': reference('headers', 'RequestId'), ...rateHeaders },
  content: {
    // A stream, so no message bounds it.
    [contentType]: {
      schema: { type: 'string', maxLength: Number.MAX_SAFE_INTEGER },
      ...withExample(recordedAnswer(row.id, row.success)),
    },
  },
});

const streamExample = ({ id, success }: Operation): Json => {
  const text = recordedAnswer(id, success);
  return text === undefined ? {} : { 'x-example-stream': text };
};

const webhookOf = (name: string, summary: string, message: Json): Json => ({
  operationId: `webhookMessages.${name.split('.').at(-1)}`,
  tags: ['webhookMessages'],
  summary,
  description:
    'Signed by the Standard Webhooks scheme. Any answer but a 2xx, and none, is followed by another try.',
  security: anybody,
  parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((header) => ({
    ...{ name: header, in: 'header', required: true, schema: { type: 'string' } },
    description: 'by the Standard Webhooks scheme',
  })),
  requestBody: {
    required: true,
    content: { 'application/json': { schema: message, ...withExample(recorded().webhooks[name]) } },
  },
  responses: {
    '2XX': { description: 'Received.' },
  },
});

const notReleased =
  '**Not part of this release yet:** a well-formed request is answered with 501 `NOT_IMPLEMENTED`.';

const deprecatedText = ({ sunset, instead }: Deprecated): string =>
  `**Deprecated:** use \`${instead}\`. It stops answering on ${sunset}.`;

const descriptionOf = (row: Operation): string =>
  [
    ...(isReleased(row) ? [] : [notReleased]),
    ...(row.deprecated === undefined ? [] : [deprecatedText(row.deprecated)]),
    row.description,
  ].join('\n\n');

const deprecationOf = ({ deprecated }: Operation): Json =>
  deprecated === undefined ? {} : { deprecated: true, 'x-sunset': deprecated.sunset };

const tagOf = ({ id }: Operation): string => id.split('.')[0] ?? id;

const securityOf = ({ auth }: Operation): Json[] => {
  if (auth.kind === 'org' || auth.kind === 'member') return [{ apiKey: [] }, { session: [] }];
  if (auth.kind === 'orgAdmin') return [{ session: [] }];
  if (auth.kind === 'call') return [{ callToken: [], ...(auth.withInternalKey && { internalKey: [] }) }];
  return auth.kind === 'internal' ? [{ internalKey: [] }] : anybody;
};

const permissionsOf = ({ auth }: Operation): Json => {
  if (auth.kind === 'org') return { 'x-permissions': { any: auth.anyOf } };
  return auth.kind === 'orgAdmin' ? { 'x-permissions': { all: auth.allOf } } : {};
};

const integerHeader = (description: string): Json => ({
  description,
  schema: { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 },
});

const fixedComponents = {
  securitySchemes: {
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'x-api-key',
      description: 'An API key of an organization, as `auth.apiKeyCreate` answers it.',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'parlance.session_token',
      description:
        'Set by signing in. Over https its name starts with `__Secure-`. Changes also need an `Origin` of ours.',
    },
    internalKey: {
      type: 'apiKey',
      in: 'header',
      name: 'x-internal-key',
      description: 'The key that the voice runtime shares with the platform (INTERNAL_API_KEY).',
    },
    callToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'Token of one call, as the voice runtime is given it with the configuration.',
    },
  },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'Repeating the request with the same key gives the same answer and does nothing twice, for 24 hours.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  },
  headers: {
    RequestId: {
      description: 'Names this request in our logs.',
      schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{8,128}$' },
    },
    RetryAfter: integerHeader('Seconds after which a retry can help.'),
    RateLimitLimit: integerHeader(
      'Requests allowed per minute. Absent while it is not known whose request it is, as in one without credentials.',
    ),
    RateLimitRemaining: integerHeader('Requests left in this minute.'),
    RateLimitReset: integerHeader('Seconds until the count starts again.'),
    ConcurrencyLimit: integerHeader('Outbound calls that the organization may have in progress.'),
    ConcurrencyRemaining: integerHeader('How many more of them may begin now.'),
  },
};

/** The server of the committed document, which belongs to no deployment. */
const anyServer: Json = {
  url: 'https://{host}/api/v1',
  'x-internal': false,
  description:
    'A deployment, in production or for staging. Its own document, at `/api/v1/docs.json`, has its address.',
  variables: {
    host: { default: 'parlance.example.com', description: 'Host and port of the deployment.' },
  },
};

/** The document with the bounds of the contract alone, for the types of the client. */
export const buildContractDocument = (rows: readonly Operation[] = operations, publicUrl?: string): Json =>
  new Document().build(
    rows,
    publicUrl === undefined ? anyServer : { url: `${publicUrl}/api/v1`, 'x-internal': false },
  );

/**
 * The document; the same for the same contract.
 * @param publicUrl the scheme, host and port of the deployment that serves the document
 */
export const buildOpenApi = (rows?: readonly Operation[], publicUrl?: string): Json =>
  Object(withBounds(buildContractDocument(rows, publicUrl)));
