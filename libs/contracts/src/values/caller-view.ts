// The caller of a request, as the gateway tells it to the program that asks.
import { z } from 'zod';
import { Caller } from './caller.js';

/** The rule by which tools that cost money or destroy something are confirmed over MCP. */
export const McpConfirm = z.enum(['always', 'never']).meta({
  description:
    'never: over MCP, tools that cost money or destroy something do it at once, without a confirmation',
});
export type McpConfirm = z.infer<typeof McpConfirm>;

export const CallerView = Caller.extend({
  mcpConfirm: McpConfirm,
  verified: z.boolean().optional().meta({
    description: 'of a person: the e-mail address is verified, or counts as verified; absent for others',
  }),
}).meta({ id: 'Caller', description: 'The caller behind a credential.' });
export type CallerView = z.infer<typeof CallerView>;
