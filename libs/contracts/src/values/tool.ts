// HTTP tools that agents call in a conversation, and the secrets that tools and webhooks refer to.
import { z } from 'zod';
import { HeaderValue } from './agent-configuration.js';
import { secretOrigins } from './secret-origin.js';
import { json, text, timestamp, uuid } from './text.js';

const Parameter = z
  .strictObject({
    name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/),
    in: z.enum(['path', 'query', 'body']),
    type: z.enum(['string', 'number', 'integer', 'boolean', 'object', 'array']),
    description: text(0, 1_000),
    required: z.boolean(),
    enum: z.array(text(1, 200)).min(1).max(100).optional(),
    source: z.enum(['model', 'preset']),
    value: text(0, 2_000).optional(),
    sensitive: z.boolean().optional().meta({ description: 'call records show the argument as "•••"' }),
  })
  .refine((value) => (value.source === 'preset') === (value.value !== undefined), {
    message: 'value goes with source preset, and only with it',
    path: ['value'],
  });

const request = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  url: text(1, 2_048),
  headers: z.record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/), HeaderValue).default({}),
  contentType: z.enum(['application/json', 'application/x-www-form-urlencoded']).default('application/json'),
  bodyTemplate: z.record(text(1, 128), json).nullable().default(null),
});
const response = z.strictObject({
  maxChars: z.int().min(1).max(100_000).default(4_000),
  include: z.array(text(1, 256)).max(100).default([]),
  assignments: z
    .array(z.strictObject({ variable: text(1, 64), path: text(1, 256) }))
    .max(50)
    .default([]),
});

const settings = {
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: text(1, 2_000),
  request,
  parameters: z.array(Parameter).max(50),
  timeoutMs: z.int().min(1_000).max(60_000),
  executionMode: z.enum(['immediate', 'after_speech', 'async']),
  fillerMessage: text(1, 500).nullable(),
  interruptible: z.boolean(),
  response,
  onError: z.enum(['hide', 'summarize', 'passthrough']),
  isActive: z.boolean(),
};

export type ToolParameter = z.output<typeof Parameter>;

export const ToolInput = z.strictObject({
  type: z.literal('http').default('http'),
  ...settings,
  parameters: settings.parameters.default([]),
  timeoutMs: settings.timeoutMs.default(10_000),
  executionMode: settings.executionMode.default('immediate'),
  fillerMessage: settings.fillerMessage.default(null),
  interruptible: settings.interruptible.default(true),
  response: response.prefault({}),
  onError: settings.onError.default('summarize'),
  isActive: settings.isActive.default(true),
});
export type ToolInput = z.output<typeof ToolInput>;
export const ToolUpdate = z.strictObject(settings).partial();
export type ToolUpdate = z.output<typeof ToolUpdate>;

export const Tool = z
  .object({
    id: uuid,
    type: z.literal('http'),
    ...settings,
    request: z.object(request.shape),
    parameters: z.array(z.object(Parameter.shape)),
    response: z.object(response.shape),
    agentIds: z.array(uuid),
    stats24h: z.object({ runs: z.int(), failures: z.int(), p95Ms: z.number().nullable() }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Tool', description: 'A tool that agents use: a request to an HTTP service.' });
export type Tool = z.infer<typeof Tool>;

export const ToolAttachment = z.object({ toolId: uuid, agentId: uuid, attached: z.boolean() });

/** JSON as a model made it: its keys are judged by the tool's parameters, one by one. */
const toolArguments = z.record(text(1, 128), json);

export const ToolTest = z.strictObject({ arguments: toolArguments, agentId: uuid.optional() });

/** One execution of a tool, for the person who tries the tool out. */
export const ToolRun = z
  .object({
    request: z
      .object({
        method: z.string(),
        url: z.string(),
        headers: z.record(z.string(), z.string()),
        body: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'the request as sent, with secrets shown as "•••"; null if nothing was sent' }),
    response: z
      .object({
        status: z.int(),
        headers: z.record(z.string(), z.string()),
        body: z.string(),
        truncated: z.boolean(),
      })
      .nullable(),
    result: json,
    assignments: z.record(z.string(), z.string()),
    durationMs: z.int().min(0),
    error: z
      .object({
        code: z.enum([
          'TIMEOUT',
          'URL_NOT_ALLOWED',
          'TOO_LARGE',
          'BAD_STATUS',
          'NETWORK',
          'INVALID_ARGUMENTS',
        ]),
        message: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'ToolRun', description: 'A test run of a tool, with the request and the response.' });
export type ToolRun = z.infer<typeof ToolRun>;

/** A tool as a model is told of it. */
export const ToolForRuntime = z
  .object({
    name: z.string(),
    description: z.string(),
    parameters: z
      .record(z.string(), json)
      .meta({ description: 'JSON Schema of the arguments that the model fills in' }),
    executionMode: settings.executionMode,
    fillerMessage: z.string().nullable(),
    interruptible: z.boolean(),
    timeoutMs: z.int(),
  })
  .meta({ id: 'ToolForRuntime', description: 'A tool, as the voice runtime offers it to the model.' });
export type ToolForRuntime = z.infer<typeof ToolForRuntime>;

const maxResultBytes = 4_096;
const maxResultCharacters = 2_000;

/** The result of an execution as the record of its call shows it: of one above 4 KiB, the beginning of its text. */
export const shownResult = (result: z.infer<typeof json>): z.infer<typeof json> => {
  const asJson = JSON.stringify(result);
  if (Buffer.byteLength(asJson) <= maxResultBytes) return result;
  const text = typeof result === 'string' ? result : asJson;
  return `${text.slice(0, maxResultCharacters).replace(/\p{Surrogate}$/u, '')}…`;
};

/** One execution of a tool in a call, as services report it to each other. */
export const ExecutedTool = z.object({
  executionId: uuid,
  callId: z.string(),
  agentId: uuid,
  toolId: uuid,
  name: z.string(),
  /** The arguments as JSON, with "•••" for each one that the tool marks as sensitive. */
  arguments: z.record(z.string(), json),
  status: z.enum(['ok', 'error', 'timeout']),
  /** Status of the answer; null when there was none. */
  httpStatus: z.int().nullable(),
  startedAt: timestamp,
  durationMs: z.int(),
  /** The result that the model got, shortened. Absent from a message of an older release. */
  result: json.optional(),
  /** The variables that the execution gave values. */
  assignments: z.record(z.string(), z.string()).optional(),
});
export type ExecutedTool = z.infer<typeof ExecutedTool>;

/** Body of an execution in a call. */
export const ToolExecution = z.strictObject({
  arguments: toolArguments,
  executionId: uuid
    .optional()
    .meta({ description: 'identical for every retry of one execution, which then runs once' }),
});
/** The outcome of an execution, for the runtime and its model. */
export const ToolResult = z
  .object({
    result: json,
    assignments: z.record(z.string(), z.string()),
    durationMs: z.int().min(0),
    isError: z.boolean(),
  })
  .meta({ id: 'ToolResult', description: 'Result of a tool in a call.' });
export type ToolResult = z.infer<typeof ToolResult>;

export const ResourceRef = z.object({
  id: z.string(),
  type: z.enum(['agent', 'tool', 'widget', 'mcp_connection', 'knowledge_source', 'model']),
  name: z.string(),
});
export type ResourceRef = z.infer<typeof ResourceRef>;

export const SecretInput = z.strictObject({
  name: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
  value: text(1, 8_192),
  description: text(0, 500).optional(),
  allowedOrigins: secretOrigins.optional(),
});

export const SecretUpdate = z.strictObject({ allowedOrigins: secretOrigins });

export const SecretRotation = z.strictObject({
  value: text(1, 8_192),
  keepPreviousForSeconds: z.int().min(0).max(86_400).default(0),
});

/** A secret as it can be read: its value never can. */
export const SecretRecord = z
  .object({
    id: uuid,
    name: z.string(),
    description: z.string().nullable(),
    redactedValue: z.string(),
    version: z.int(),
    usedBy: z.array(ResourceRef),
    // A release before does not tell them.
    allowedOrigins: z
      .array(z.string())
      .default([])
      .meta({ description: 'origins that the secret may be sent to' }),
    lastUsedAt: timestamp.nullable(),
    createdBy: z.string(),
    createdAt: timestamp,
  })
  .meta({ id: 'Secret', description: 'A secret; its value is never shown.' });
export type SecretRecord = z.output<typeof SecretRecord>;
