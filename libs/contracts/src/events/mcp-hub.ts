// The integration events that mcp-hub publishes.
import { z } from 'zod';
import { SecretMentionsReport } from '../values/secret-mentions.js';
import { uuid } from '../values/text.js';
import { ExecutedTool } from '../values/tool.js';
import { defineEvent, sealing } from './event.js';

/** Versions that this release reads and does not send. */
export const mcpHubEarlierEvents = {
  /** A tool of a connected MCP server ran in a call, with or without success. `name` is the name that agents see. */
  mcpToolExecuted: defineEvent({ name: 'mcp-hub.tool.executed', version: 1, data: ExecutedTool }),
} as const;

export const mcpHubEvents = {
  mcpToolExecuted: sealing(
    mcpHubEarlierEvents.mcpToolExecuted,
    'calls-logs',
    'arguments',
    'result',
    'assignments',
  ),
  /** A connection was attached to an agent or taken from it, or disconnected. */
  agentConnectionsChanged: defineEvent({
    name: 'mcp-hub.agent-connections.changed',
    version: 1,
    data: z.object({
      agentId: uuid,
      mcpConnections: z.int(),
      /** Grows with every change: of two announcements, the higher one holds. */
      version: z.int(),
    }),
  }),
  /** A connection was saved or disconnected, or is in another state: it may mention other secrets since then. */
  mcpConnectionSaved: defineEvent({
    name: 'mcp-hub.connection.saved',
    version: 1,
    data: z.object({ mcpConnectionId: uuid }),
  }),
  /** The secrets that a connection mentions, after tools-secrets has requested this report. */
  connectionSecretsReported: defineEvent({
    name: 'mcp-hub.secret-mentions.reported',
    version: 1,
    data: SecretMentionsReport,
  }),
} as const;
