// An MCP server behind OAuth: without a good token it says where tokens come from, as RFC 9728 asks.

import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import type { OAuthTokenVerifier } from '@modelcontextprotocol/sdk/server/auth/provider.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { listen } from '@parlance/fake-kit';
import express from 'express';
import type { AuthorizationServer } from './authorization-server.js';
import { offeredScope } from './authorization-server.js';

export interface ProtectedServerOptions {
  /** Tokens of this server are good. */
  readonly authorizationServer: AuthorizationServer;
  /** The authorization servers that its metadata names, where they are others. */
  readonly namedIssuers?: readonly string[];
  /** The resource that its metadata claims to describe, where it is another. */
  readonly claimedResource?: string;
}

export interface ProtectedServer {
  /** Streamable HTTP. */
  readonly url: string;
  /** Names other authorization servers in its metadata from now on. */
  nameIssuers(issuers: readonly string[]): void;
  /** Requests so far that it refused for want of a good token. */
  refused(): number;
  stop(): Promise<void>;
}

const verifier = (server: AuthorizationServer, resource: string): OAuthTokenVerifier => ({
  verifyAccessToken: async (token) => {
    const grant = await server.verify(token);
    // A token for another resource is no token here: otherwise one server could use it at another.
    if (grant === undefined || !grant.audience.includes(resource))
      throw new InvalidTokenError('the token is not good here');
    const { clientId, scopes, expiresAt, accountId } = grant;
    return { token, clientId, scopes: [...scopes], expiresAt, extra: { accountId } };
  },
});

const mcpServer = (): McpServer => {
  const server = new McpServer({ name: 'protected', version: '1.0.0' });
  server.registerTool(
    'whoami',
    { description: 'Tells whose token the request carries.' },
    ({ authInfo }) => ({ content: [{ type: 'text', text: String(authInfo?.extra?.accountId) }] }),
  );
  return server;
};

/** Listens on loopback. */
export const startProtectedServer = async (options: ProtectedServerOptions): Promise<ProtectedServer> => {
  const { authorizationServer, claimedResource } = options;
  let issuers = options.namedIssuers ?? [authorizationServer.issuer];
  let refused = 0;
  const app = express();
  const listening = await listen(app, {});
  const url = `${listening.url}/mcp`;
  const metadataPath = '/.well-known/oauth-protected-resource/mcp';
  app.get(metadataPath, (_request, response) => {
    response.json({
      resource: claimedResource ?? url,
      authorization_servers: issuers,
      scopes_supported: [offeredScope],
      bearer_methods_supported: ['header'],
    });
  });
  const guard = requireBearerAuth({
    verifier: verifier(authorizationServer, url),
    requiredScopes: [offeredScope],
    resourceMetadataUrl: `${listening.url}${metadataPath}`,
  });
  app.use('/mcp', (_request, response, next) => {
    response.once('finish', () => {
      if (response.statusCode === 401) refused += 1;
    });
    next();
  });
  app.post('/mcp', guard, async (request, response) => {
    const transport = new StreamableHTTPServerTransport({});
    response.once('close', () => void transport.close());
    await mcpServer().connect(transport);
    await transport.handleRequest(request, response);
  });
  app.all('/mcp', guard, (_request, response) => void response.set('allow', 'POST').status(405).end());
  return {
    url,
    nameIssuers: (named) => {
      issuers = named;
    },
    refused: () => refused,
    stop: () => listening.stop(),
  };
};
