// The requests that mcp-hub answers to other services.

import { z } from 'zod';
import { serviceRequest } from '../operations/operation.js';
import { McpExecutionInCall, McpLoginAnswer, McpLoginOutcome, McpToolForRuntime } from '../values/mcp.js';
import { secretMentions } from '../values/secret-mentions.js';
import { uuid } from '../values/text.js';
import { ToolResult } from '../values/tool.js';
import { agentId, organizationCleared, secretUses } from './parts.js';

export const mcpHubRequests = {
  mcpSecretReferences: serviceRequest({
    id: 'mcp.secretReferences',
    service: 'mcp-hub',
    askedBy: [],
    formerly: { askedBy: ['tools-secrets'], upTo: '0.2.0' },
    summary: 'Which secrets a connection mentions, after the saves that are under way',
    body: z.object({ mcpConnectionId: uuid }),
    data: z.object({ ...secretMentions, ...secretUses, name: z.string() }),
  }),
  mcpForAgent: serviceRequest({
    id: 'mcp.forAgent',
    service: 'mcp-hub',
    askedBy: ['gateway'],
    formerly: { askedBy: ['agents-config'], upTo: '0.2.0' },
    summary: 'The tools of connected MCP servers that are offered to an agent, as a model is told of them',
    body: agentId,
    data: z.array(McpToolForRuntime),
  }),
  mcpExecuteInCall: serviceRequest({
    id: 'mcp.executeInCall',
    service: 'mcp-hub',
    askedBy: ['gateway'],
    formerly: { askedBy: ['tools-secrets'], upTo: '0.2.0' },
    summary: 'Execute a tool of a connected MCP server for the agent that holds a call',
    body: McpExecutionInCall,
    data: ToolResult,
    // In a call a server gets sixty seconds at most.
    answerWithinMs: 64_000,
  }),
  mcpFinishLogin: serviceRequest({
    id: 'mcp.finishLogin',
    service: 'mcp-hub',
    askedBy: ['gateway'],
    summary:
      'Finish the login of a connection, with the answer of the authorization server that a person brings back',
    body: McpLoginAnswer,
    // The code in it is worth a token.
    confidential: true,
    data: z.object({ outcome: McpLoginOutcome }),
    // One request for the tokens, and the first refresh of the connection.
    answerWithinMs: 30_000,
  }),
  mcpOrganizationCleared: serviceRequest({
    ...organizationCleared,
    id: 'mcp.organizationCleared',
    service: 'mcp-hub',
  }),
} as const;
