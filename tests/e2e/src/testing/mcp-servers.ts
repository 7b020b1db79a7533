// MCP servers for suites of other workspaces, loaded when one is started: the authorization server brings a large library.
import type { HostileServer } from '@parlance/fake-mcp/hostile';
import type { AuthorizationServer, ProtectedServer, SignIn } from '@parlance/fake-mcp/oauth';

export const startMisbehavingMcpServer = async (): Promise<HostileServer> =>
  (await import('@parlance/fake-mcp/hostile')).startHostileServer();

interface McpServerWithLogin {
  readonly url: string;
  /** Plays the person at the login. @returns where the person is sent back to */
  signIn(authorizationUrl: string, as: SignIn): Promise<URL>;
  stop(): Promise<void>;
}

/** An MCP server that takes the tokens of its authorization server alone. */
export const startMcpServerWithLogin = async (): Promise<McpServerWithLogin> => {
  const oauth = await import('@parlance/fake-mcp/oauth');
  const authorizationServer: AuthorizationServer = await oauth.startAuthorizationServer();
  const server: ProtectedServer = await oauth.startProtectedServer({ authorizationServer });
  return {
    url: server.url,
    signIn: oauth.signIn,
    stop: async () => {
      await server.stop();
      await authorizationServer.stop();
    },
  };
};
