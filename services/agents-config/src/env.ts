// Variables of this service.
import {
  cryptoEnv,
  cursorEnv,
  egressEnv,
  livekitEnv,
  modelsEnv,
  webhookEnv,
  wholeNumber,
} from '@parlance/config';
import { modelKeysEnv } from '@parlance/models';
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
    ...modelKeysEnv,
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
    MAX_MODELS_PER_ORGANIZATION: wholeNumber(0, 100)
      .default(50)
      .describe(
        'Models at servers of its own that one organization may have (docs/models.md); 0: organizations bring none.',
      ),
  })
  .meta({ process: 'agents-config' });
export type Env = z.output<typeof Env>;
