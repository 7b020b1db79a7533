// Variables of this service.
import { cryptoEnv, cursorEnv, egressEnv } from '@parlance/config';
import { hostEnv } from '@parlance/service-host/env';
import { z } from 'zod';

export const Env = z
  .object({
    ...hostEnv,
    ...cursorEnv,
    ...egressEnv,
    ...cryptoEnv,
    PUBLIC_URL: z
      .url({ protocol: /^https?$/ })
      .default('http://127.0.0.1:4700')
      .describe(
        'Scheme, host and port under which people reach the gateway; authorization servers send them back there.',
      ),
  })
  .meta({ process: 'mcp-hub' });
export type Env = z.output<typeof Env>;
