// The platform as an OAuth client of MCP servers. The hub registers the client with these values, and the gateway serves
// them as a client metadata document.

export interface McpClient {
  /** The address that authorization servers send people back to. */
  readonly redirectUrl: string;
  /** The client id that is a URL; null where the platform has no https address, because the id has to be one. */
  readonly documentUrl: string | null;
  /** Client metadata of RFC 7591. */
  readonly metadata: {
    readonly client_name: string;
    readonly client_uri: string;
    readonly redirect_uris: readonly [string];
    readonly grant_types: readonly ['authorization_code', 'refresh_token'];
    readonly response_types: readonly ['code'];
    readonly token_endpoint_auth_method: 'none';
    readonly application_type: 'native' | 'web';
  };
}

export const mcpCallbackPath = '/hooks/mcp/oauth';
export const mcpClientDocumentPath = '/hooks/mcp/client.json';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** @param publicUrl scheme, host and port under which people reach the gateway */
export const mcpClient = (publicUrl: string): McpClient => {
  const { origin, protocol, hostname } = new URL(publicUrl);
  const redirectUrl = `${origin}${mcpCallbackPath}`;
  return {
    redirectUrl,
    documentUrl: protocol === 'https:' ? `${origin}${mcpClientDocumentPath}` : null,
    metadata: {
      client_name: 'Parlance',
      client_uri: origin,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      // Servers that tell the two apart allow plain http for programs on the person's own machine alone.
      application_type: loopback.test(hostname) ? 'native' : 'web',
    },
  };
};
