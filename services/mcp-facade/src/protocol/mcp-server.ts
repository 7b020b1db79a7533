// The MCP server of one request. It keeps nothing: its lists never change while the process runs, and the gateway does
// all its work.

import {
  type CompleteRequest,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { AppError } from '@parlance/errors';
import { idsFor } from '../fold/completions.js';
import { listedResources, listedTemplates, resources } from '../fold/resources.js';
import { tools } from '../fold/tools.js';
import type { ToolCalls } from './call-tool.js';
import { readResource } from './read-resource.js';
import { protocolError } from './refusals.js';
import { Session } from './session.js';

const instructions =
  'Parlance is a platform for voice agents that make and take telephone calls. Resources read it, tools change it. Tools that cost money, or end or delete something, answer first with what they would do: show that to a person, and call the tool again with the same arguments and the confirmationToken once the person agrees.';

/** Name under which the session of a request travels to its server. */
export const sessionKey = 'session';

const sessionOf = ({ authInfo }: McpRequestContext): Session => {
  const session = authInfo?.extra?.[sessionKey];
  if (session instanceof Session) return session;
  throw new Error('a request came in without a session');
};

/** All of a list is one page, so no cursor was ever given out. */
const refuseCursor = (cursor: string | undefined): void => {
  if (cursor !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not one of this list.');
};

const complete = async ({ gateway, requestId }: Session, { params }: CompleteRequest) => {
  const { ref, argument } = params;
  const template =
    ref.type === 'ref/resource'
      ? [...resources.values()].find(({ address }) => address === ref.uri)
      : undefined;
  if (template === undefined || !template.parameters.includes(argument.name))
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'There is no such template with this parameter.',
    );
  try {
    return { completion: await idsFor(argument.name, argument.value, gateway) };
  } catch (error) {
    if (error instanceof AppError) throw protocolError(error, requestId);
    throw error;
  }
};

export interface McpServerParts {
  readonly version: string;
  readonly toolCalls: ToolCalls;
}

export const mcpServerFor =
  ({ version, toolCalls }: McpServerParts) =>
  (context: McpRequestContext): Server => {
    const session = sessionOf(context);
    const server = new Server(
      { name: 'parlance', title: 'Parlance', version },
      { capabilities: { tools: {}, resources: {}, completions: {} }, instructions },
    );
    server.setRequestHandler('tools/list', ({ params }) => {
      refuseCursor(params?.cursor);
      return { tools: [...tools.values()].map(({ listed }) => listed) };
    });
    server.setRequestHandler('resources/list', ({ params }) => {
      refuseCursor(params?.cursor);
      return { resources: [...listedResources()] };
    });
    server.setRequestHandler('resources/templates/list', ({ params }) => {
      refuseCursor(params?.cursor);
      return { resourceTemplates: [...listedTemplates()] };
    });
    server.setRequestHandler('resources/read', ({ params }, ctx) =>
      readResource(session, params.uri, ctx.mcpReq.signal),
    );
    server.setRequestHandler('completion/complete', (request) => complete(session, request));
    server.setRequestHandler('tools/call', (request, ctx) => toolCalls.call(session, request, ctx));
    return server;
  };
