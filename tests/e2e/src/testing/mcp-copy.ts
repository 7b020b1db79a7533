// A second copy of the facade beside the one of a running platform, with a clock that the test holds.
import { loadEnv } from '@parlance/config';
import { Env, type McpFacade, start } from '@parlance/mcp-facade';
import { DataFolder } from '@parlance/start';
import type { SharedPlatform } from './shared-platforms.js';

export interface McpCopy {
  readonly facade: McpFacade;
  /** Moves the clock on. */
  pass(ms: number): void;
}

export const startMcpCopy = async ({
  dataDir,
  url,
}: Pick<SharedPlatform, 'dataDir' | 'url'>): Promise<McpCopy> => {
  const folder = new DataFolder(dataDir);
  const { databasePassword, mcpConfirmationKey } = folder.secrets();
  const postgres = new URL(folder.serviceVariables()['calls-logs']?.POSTGRES_URL ?? '');
  postgres.username = 'mcp_facade';
  postgres.password = databasePassword;
  let ahead = 0;
  const env = loadEnv(Env, {
    LOG_LEVEL: 'silent',
    POSTGRES_URL: postgres.href,
    MCP_PORT: '0',
    GATEWAY_URL: url,
    PUBLIC_URL: url,
    MCP_CONFIRMATION_KEY: mcpConfirmationKey,
  });
  const facade = await start(env, { now: () => new Date(Date.now() + ahead) });
  return {
    facade,
    pass: (ms) => {
      ahead += ms;
    },
  };
};
