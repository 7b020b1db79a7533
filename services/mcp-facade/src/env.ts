// Variables of the facade.
import {
  acceptKeysEnv,
  baseEnv,
  drainEnv,
  mcpOauthEnv,
  opsEnv,
  platformKeys,
  postgresEnv,
  telemetryEnv,
} from '@parlance/config';
import { z } from 'zod';

const address = z.url({ protocol: /^https?$/ });
const hostnames = z
  .string()
  .transform((list) => list.split(',').map((name) => name.trim()))
  .refine(
    (list) => list.every((name) => /^[\w.-]+$|^\[[0-9a-f:.]+\]$/i.test(name)),
    'names of hosts, separated by commas',
  );

export const Env = z
  .object({
    ...baseEnv,
    ...telemetryEnv,
    ...opsEnv,
    ...drainEnv,
    ...postgresEnv,
    ...acceptKeysEnv,
    ...mcpOauthEnv,
    MCP_HOST: z.string().min(1).default('127.0.0.1').describe('Address that the MCP facade listens on.'),
    MCP_PORT: z
      .string()
      .regex(/^\d{1,5}$/, { message: 'a whole number', abort: true })
      .transform(Number)
      .pipe(z.number().int().max(65_535))
      .default(4720)
      .describe('Port that the MCP facade listens on; 0 takes any free one.'),
    GATEWAY_URL: address.describe('The gateway, as the MCP facade reaches it: scheme, host and port.'),
    PUBLIC_URL: address.describe(
      'Scheme, host and port under which people reach the gateway; MCP clients connect to /mcp there.',
    ),
    MCP_ALLOWED_ORIGINS: hostnames
      .default([])
      .describe(
        'Hosts whose pages may call /mcp from a browser, besides the host of PUBLIC_URL and this machine; separated by commas.',
      ),
    MCP_CONFIRMATION_KEY: platformKeys.MCP_CONFIRMATION_KEY,
  })
  .meta({ process: 'mcp-facade' });
export type Env = z.output<typeof Env>;
