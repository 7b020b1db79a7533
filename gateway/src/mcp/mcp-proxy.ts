// Passes the messages of MCP clients on to the facade, and its answers back as they stream. The facade asks the gateway
// for each of its acts, so this proxy decides nothing.
import { Agent } from 'node:http';
import { AppError } from '@parlance/errors';
import { type RequestHandler, Router } from 'express';
import { createProxyServer } from 'httpxy';
import { type AddressVouchers, voucherHeader } from './address-vouchers.js';

export interface McpProxyOptions {
  /** Scheme, host and port of the facade. */
  readonly target: string;
  readonly vouchers: AddressVouchers;
}

export interface McpProxy {
  readonly routes: Router;
  /** Ends the connections to the facade that wait for a next request. */
  close(): void;
}

/** The time for which a connection to the facade may lie idle, where the facade gives no time. */
const idleMs = 60_000;

/** The address of a protected resource's metadata (RFC 9728). */
const metadataPath = '/.well-known/oauth-protected-resource';

export const mcpProxy = ({ target, vouchers }: McpProxyOptions): McpProxy => {
  // Node heeds the time that the facade gives for its connections only where the agent has a longer one.
  const agent = new Agent({ keepAlive: true, timeout: idleMs });
  // The facade judges the host that the client named, so the header stays as it is.
  const proxy = createProxyServer({ target, agent, changeOrigin: false });
  const pass: RequestHandler = async (request, response) => {
    response.locals.route = 'mcp';
    // Express has taken the path of the mount off.
    request.url = request.originalUrl;
    request.headers['x-request-id'] = response.locals.requestId;
    request.headers[voucherHeader] = vouchers.for(request);
    try {
      await proxy.web(request, response);
    } catch (cause) {
      throw new AppError('SERVICE_UNAVAILABLE', { cause });
    }
  };
  const routes = Router({ caseSensitive: true });
  for (const path of ['/mcp', metadataPath, `${metadataPath}/mcp`]) routes.all(path, pass);
  return { routes, close: () => agent.destroy() };
};
