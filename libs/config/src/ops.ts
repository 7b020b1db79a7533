// The listener at which a process tells operators its state.
import { z } from 'zod';

/** The ops listener: probes and metrics. It has no credentials, so it stays on loopback or inside the network. */
export const opsEnv = {
  OPS_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address of the ops listener: /livez, /readyz, /startupz and /metrics, without credentials.'),
  OPS_PORT: z
    .string()
    .regex(/^\d{1,5}$/, { message: 'a whole number', abort: true })
    .transform(Number)
    .pipe(z.number().int().max(65_535))
    .optional()
    .describe('Port of the ops listener; 0 takes any free one, which the log names. No listener without it.'),
};

export interface OpsEnv {
  readonly OPS_HOST?: string | undefined;
  readonly OPS_PORT?: number | undefined;
}
