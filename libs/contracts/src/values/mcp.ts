// External MCP servers: the catalog, connections, and calls through them.
import { z } from 'zod';
import { HeaderValue } from './agent-configuration.js';
import { callId } from './call.js';
import { json, mapOf, name, text, timestamp, uuid } from './text.js';
import { ToolForRuntime } from './tool.js';

const transport = z.enum(['streamable_http', 'sse']);
const authType = z.enum(['none', 'bearer', 'header', 'oauth2']);
const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/);

export const McpCatalogEntry = z
  .object({
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    category: z.string(),
    iconUrl: z.string().nullable(),
    url: z.string(),
    transport,
    auth: z.object({ type: authType, headerName: z.string().optional() }),
    source: z.enum(['curated', 'custom']),
    docsUrl: z.string().nullable(),
    connectedId: z.string().nullable(),
  })
  .meta({ id: 'McpCatalogEntry', description: 'An MCP server that can be connected.' });
export type McpCatalogEntry = z.infer<typeof McpCatalogEntry>;

const takesSecret = (type: z.infer<typeof authType>): boolean => type === 'bearer' || type === 'header';

const auth = z
  .strictObject({
    type: authType,
    headerName: headerName.optional(),
    clientId: text(1, 512).optional().meta({
      description: 'a manually registered client, for servers without dynamic client registration',
    }),
    secretId: uuid.nullable().optional(),
  })
  .refine((value) => (value.type === 'header') === (value.headerName !== undefined), {
    message: 'goes with type header, and only with it',
    path: ['headerName'],
  })
  .refine((value) => value.clientId === undefined || value.type === 'oauth2', {
    message: 'goes with type oauth2 only',
    path: ['clientId'],
  })
  .refine(
    (value) =>
      value.clientId === undefined
        ? takesSecret(value.type) === (typeof value.secretId === 'string')
        : !takesSecret(value.type),
    { message: 'goes with types bearer and header, and may go with clientId', path: ['secretId'] },
  );
const headers = mapOf(headerName, HeaderValue, 20);
const approvalPolicy = z.enum(['auto', 'per_tool']);
const timeoutMs = z.int().min(5_000).max(300_000);

const settings = {
  auth: auth.optional(),
  headers: headers.optional(),
  approvalPolicy: approvalPolicy.default('auto'),
  timeoutMs: timeoutMs.default(30_000),
};

export const McpConnectionInput = z.union([
  z.strictObject({ catalogSlug: text(1, 64), ...settings }),
  z.strictObject({
    name: name(1, 120),
    url: text(1, 2_048),
    transport: transport.default('streamable_http'),
    ...settings,
  }),
]);
export type McpConnectionInput = z.output<typeof McpConnectionInput>;

/** Name of a tool as its server writes it; the path of an operation carries it encoded. */
export const mcpToolName = text(1, 128);

export const McpConnectionUpdate = z
  .strictObject({
    name: name(1, 120),
    approvalPolicy,
    timeoutMs,
    headers,
    auth,
    tools: z.array(z.strictObject({ name: mcpToolName, enabled: z.boolean() })).max(256),
  })
  .partial();
export type McpConnectionUpdate = z.output<typeof McpConnectionUpdate>;

export const McpTool = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  inputSchema: z.record(z.string(), json),
  annotations: z.record(z.string(), json).nullable(),
  enabled: z.boolean(),
  hash: z.string().meta({ description: 'SHA-256 of the definition, hexadecimal' }),
  approvedHash: z.string().nullable().meta({ description: 'null if the tool has not been approved' }),
  changedSinceApproval: z.boolean(),
  approvedDefinition: z
    .object({
      title: z.string().nullable(),
      description: z.string(),
      inputSchema: z.record(z.string(), json),
    })
    .nullable()
    // A release before does not tell it.
    .optional()
    .meta({ description: 'the last approved definition, for comparison; null if unknown' }),
  offered: z.boolean().meta({ description: 'whether agents get the tool and it can be executed' }),
  offeredName: z.string().meta({ description: 'name that agents see; unique in the organization' }),
});
export type McpTool = z.infer<typeof McpTool>;

/** Something about a server's tools that a person should look at. */
export const McpWarning = z.object({
  tool: z.string().meta({
    description:
      'name of the tool, shortened and without invisible characters; its position in the list if it has no name; empty for the list itself',
  }),
  code: z.enum([
    'hidden_instructions',
    'name_not_usable',
    'name_repeated',
    'description_too_long',
    'schema_too_large',
    'schema_too_deep',
    'schema_not_usable',
    'header_not_usable',
    'definition_not_usable',
    'field_mended',
    'too_many_tools',
    'list_incomplete',
    'more_warnings',
  ]),
  // Warnings of a release before have none.
  field: z
    .string()
    .optional()
    .meta({ description: 'field of the tool or of the list, such as inputSchema.type' }),
  message: z.string(),
});
export type McpWarning = z.infer<typeof McpWarning>;

export const McpConnection = z
  .object({
    id: uuid,
    catalogSlug: z.string().nullable(),
    name: z.string(),
    url: z.string(),
    transport,
    auth: z.object({
      type: authType,
      headerName: z.string().optional(),
      clientId: z.string().optional(),
      secretId: z.string().nullable(),
    }),
    headers: z.record(z.string(), HeaderValue),
    status: z.enum(['connecting', 'connected', 'error', 'auth_required']),
    lastError: z.string().nullable(),
    health: z.object({
      state: z.enum(['ok', 'auth_expired', 'drifted', 'unreachable']),
      since: timestamp,
      advice: z.string().nullable(),
    }),
    serverInfo: z.object({ name: z.string(), version: z.string(), protocolVersion: z.string() }).nullable(),
    tools: z.array(McpTool),
    warnings: z.array(McpWarning),
    approvalPolicy,
    timeoutMs: z.int(),
    agentIds: z.array(uuid),
    lastRefreshedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'McpConnection', description: 'A connection of the organization to an MCP server.' });
export type McpConnection = z.infer<typeof McpConnection>;

export const McpApproval = z.strictObject({
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
});

export const McpAuthorization = z
  .object({ authorizationUrl: z.string(), expiresAt: timestamp })
  .meta({ id: 'McpAuthorization', description: 'Where a person signs in at the MCP server.' });
export type McpAuthorization = z.infer<typeof McpAuthorization>;

/** The answer of an authorization server, as a person brings it back. */
export const McpLoginAnswer = z.object({
  state: text(1, 256),
  /** Absent where the person or the server declined. */
  code: text(1, 4_096).optional(),
  iss: text(1, 2_048).optional(),
});
export type McpLoginAnswer = z.infer<typeof McpLoginAnswer>;

/** The outcome of a login: `unknown` for a state that is used, too old, made up, or another person's. */
export const McpLoginOutcome = z.enum(['authorized', 'declined', 'unknown', 'other_issuer', 'failed']);
export type McpLoginOutcome = z.infer<typeof McpLoginOutcome>;

export const McpAttachment = z.object({ mcpConnectionId: uuid, agentId: uuid, attached: z.boolean() });

const args = z.record(text(1, 128), json);
export const McpExecuteInput = z.strictObject({ arguments: args, agentId: uuid.optional() });
export const McpExecuteResult = z
  .object({
    content: z.array(z.record(z.string(), json)),
    structuredContent: z.record(z.string(), json).optional(),
    isError: z.boolean(),
    durationMs: z.int(),
  })
  .meta({ id: 'McpExecuteResult', description: 'Result of a tool of an MCP server.' });
export type McpExecuteResult = z.infer<typeof McpExecuteResult>;

/** A tool of a connected server, as a model is told of it. */
export const McpToolForRuntime = ToolForRuntime.extend({ serverName: z.string() });
export type McpToolForRuntime = z.infer<typeof McpToolForRuntime>;

/** An execution for the agent that holds a call. */
export const McpExecutionInCall = z.object({
  callId,
  agentId: uuid,
  offeredName: text(1, 128),
  arguments: args,
  executionId: uuid,
  isNamed: z.boolean().meta({ description: 'the runtime named the execution, and may ask for it again' }),
});
