// The caller of a request, as the gateway tells it to the program that asks.
import { z } from 'zod';
import { Caller } from './caller.js';

/** The rule by which tools that cost money or destroy something are confirmed over MCP. */
export const McpConfirm = z.enum(['always', 'never']).meta({
  description: 'never: tools that cost money or delete something run over MCP without a confirmation',
});
export type McpConfirm = z.infer<typeof McpConfirm>;

export const CallerView = Caller.extend({
  mcpConfirm: McpConfirm,
  verified: z.boolean().optional().meta({
    description: 'for a user: whether the email address counts as verified; absent for other callers',
  }),
}).meta({ id: 'Caller', description: 'The caller behind a credential.' });
export type CallerView = z.infer<typeof CallerView>;
