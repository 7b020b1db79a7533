// Variables of this service.
import { livekitEnv } from '@parlance/config';
import { hostEnv } from '@parlance/service-host';
import { z } from 'zod';

export const Env = z.object({
  ...hostEnv,
  ...livekitEnv,
  MAX_AGENTS_PER_ORGANIZATION: z.coerce
    .number()
    .int()
    .positive()
    .default(500)
    .describe('Agents that one organization may have; the list of them is answered whole.'),
  EGRESS_ALLOW_PRIVATE: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((host) => host.trim().toLowerCase())
        .filter(Boolean),
    )
    .describe(
      'Hosts inside the own network that webhooks may name, separated by commas; for trying things out.',
    ),
});
export type Env = z.output<typeof Env>;
