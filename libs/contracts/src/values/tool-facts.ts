// Facts of other services that the gateway sends along with requests about tools.
import { z } from 'zod';
import { PersonalKind } from './agent-configuration.js';
import { AgentFacts } from './agent-facts.js';
import { CallLog } from './call.js';

/** The defaults of an agent's variables, those that the initiation webhook of the call answered, and the agent's zone. */
const AgentOfValues = z.object({
  variables: z.record(z.string(), z.string().nullable()),
  timezone: z.string(),
});

/** The sources of a tool's placeholders. */
export const ToolValues = z.object({
  /** Null for a call that is in no log, such as a preview. */
  call: CallLog.pick({
    campaignId: true,
    direction: true,
    fromNumber: true,
    toNumber: true,
    startedAt: true,
    answeredAt: true,
    dynamicVariables: true,
  }).nullable(),
  agent: AgentOfValues,
});
export type ToolValues = z.infer<typeof ToolValues>;

/** Facts for a test of a tool with the values of an agent. */
export const ToolTestFacts = AgentFacts.extend({ values: ToolValues.nullable() });
export type ToolTestFacts = z.infer<typeof ToolTestFacts>;

/** Facts for the execution of a tool in a call. */
export const ToolRunFacts = z.object({
  /** What records of the execution hide; null: nothing. */
  redaction: z
    .object({ language: z.string(), timezone: z.string(), kinds: z.array(PersonalKind) })
    .nullable(),
  /** Null where the tool needs none, or they could not be read. */
  values: ToolValues.nullable(),
});
export type ToolRunFacts = z.infer<typeof ToolRunFacts>;
