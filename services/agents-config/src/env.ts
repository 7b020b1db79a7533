// Variables of this service.
import { livekitEnv } from '@parlance/config';
import { hostEnv } from '@parlance/service-host';
import { z } from 'zod';

export const Env = z.object({
  ...hostEnv,
  ...livekitEnv,
  /** Hosts inside the own network that webhooks may name, comma-separated; for trying things out. */
  EGRESS_ALLOW_PRIVATE: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((host) => host.trim().toLowerCase())
        .filter(Boolean),
    ),
});
export type Env = z.output<typeof Env>;
