// External MCP servers: the catalog, connections, and calls through them.
import { z } from 'zod';
import { HeaderValue } from './agent-configuration.js';
import { json, name, text, timestamp, uuid } from './text.js';

const transport = z.enum(['streamable_http', 'sse']);
const authType = z.enum(['none', 'bearer', 'header', 'oauth2']);

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
  .meta({ id: 'McpCatalogEntry' });

const auth = z.strictObject({
  type: authType,
  headerName: text(1, 128).optional(),
  secretId: uuid.nullable().optional(),
});
const headers = z.record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/), HeaderValue);

export const McpConnectionInput = z.union([
  z.strictObject({ catalogSlug: text(1, 64), auth: auth.optional(), headers: headers.optional() }),
  z.strictObject({
    name: name(1, 120),
    url: text(1, 2_048),
    transport: transport.optional(),
    auth: auth.optional(),
    headers: headers.optional(),
  }),
]);

export const McpConnection = z
  .object({
    id: uuid,
    catalogSlug: z.string().nullable(),
    name: z.string(),
    url: z.string(),
    transport,
    auth: z.object({ type: authType, headerName: z.string().optional(), secretId: z.string().nullable() }),
    headers: z.record(z.string(), HeaderValue),
    status: z.enum(['connecting', 'connected', 'error', 'auth_required']),
    lastError: z.string().nullable(),
    serverInfo: z.object({ name: z.string(), version: z.string(), protocolVersion: z.string() }).nullable(),
    tools: z.array(
      z.object({
        name: z.string(),
        title: z.string().nullable(),
        description: z.string(),
        inputSchema: z.record(z.string(), json),
        annotations: z.record(z.string(), json).nullable(),
        enabled: z.boolean(),
        hash: z.string(),
        changedSinceApproval: z.boolean(),
      }),
    ),
    approvalPolicy: z.enum(['auto', 'per_tool']),
    timeoutMs: z.int(),
    agentIds: z.array(uuid),
    lastRefreshedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'McpConnection' });

export const McpAttachment = z.object({ mcpConnectionId: uuid, agentId: uuid, attached: z.boolean() });
export const McpExecuteInput = z.strictObject({
  arguments: z.record(text(1, 128), json),
  agentId: uuid.optional(),
});
export const McpExecuteResult = z
  .object({
    content: z.array(z.record(z.string(), json)),
    structuredContent: z.record(z.string(), json).optional(),
    isError: z.boolean(),
    durationMs: z.int(),
  })
  .meta({ id: 'McpExecuteResult' });
