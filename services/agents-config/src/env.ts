// Variables of this service.
import { cryptoEnv, cursorEnv, egressEnv, livekitEnv, modelsEnv, webhookEnv } from '@parlance/config';
import { hostEnv } from '@parlance/service-host/env';
import { z } from 'zod';

export const Env = z
  .object({
    ...hostEnv,
    ...cursorEnv,
    ...livekitEnv,
    ...egressEnv,
    ...webhookEnv,
    ...cryptoEnv,
    ...modelsEnv,
    RUNTIME_BASE_URL: z
      .url({ protocol: /^https?$/ })
      .default('http://127.0.0.1:4700')
      .describe('Scheme, host and port under which the voice runtime reaches the gateway.'),
    MAX_AGENTS_PER_ORGANIZATION: z.coerce
      .number()
      .int()
      .positive()
      .default(500)
      .describe('Agents that one organization may have; the list of them is answered whole.'),
  })
  .meta({ process: 'agents-config' });
export type Env = z.output<typeof Env>;
