// Alive, and ready.
import { z } from 'zod';
import { timestamp } from './text.js';

export const Health = z
  .object({
    status: z.literal('ok'),
    service: z.string(),
    version: z.string(),
    apiVersion: z.string(),
    time: timestamp,
    uptimeSeconds: z.number(),
  })
  .meta({ id: 'Health', description: 'State of the gateway process.' });

export const ReadyCheck = z.object({
  status: z.enum(['up', 'down', 'skipped']),
  required: z.boolean(),
  latencyMs: z.number().nullable(),
  message: z.string().nullable(),
  checkedAt: timestamp,
});

export const Ready = z
  .object({
    status: z.enum(['ready', 'degraded']),
    checks: z.record(z.string(), ReadyCheck),
    projectionLagMs: z.number(),
  })
  .meta({ id: 'Ready', description: 'State of each service and engine behind the gateway.' });
