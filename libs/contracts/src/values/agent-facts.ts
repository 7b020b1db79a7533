// Facts of other services that the gateway sends along with requests about agents and settings.
import { z } from 'zod';

/** The agent of a request; `unread` where agents-config does not answer. */
export const AgentFacts = z.object({ agent: z.enum(['exists', 'unknown', 'unread']) });
export type AgentFacts = z.infer<typeof AgentFacts>;

/** Facts for the deletion of an agent. */
export const AgentUseFacts = z.object({
  /** Null where they could not be read: the agent stays. */
  use: z.object({ liveCalls: z.int(), openOutboundCalls: z.int() }).nullable(),
});
export type AgentUseFacts = z.infer<typeof AgentUseFacts>;

/** The operator's limits for an organization; null is no limit. */
export const OperatorLimits = z.object({
  concurrentCalls: z.int().nullable(),
  /** ISO 3166 codes. */
  countries: z.array(z.string()).nullable(),
});
export type OperatorLimits = z.infer<typeof OperatorLimits>;

/** Facts for a change of settings. */
export const SettingsFacts = z.object({
  /** Null where the change needs none, or they could not be read. */
  limits: OperatorLimits.nullable(),
});
export type SettingsFacts = z.infer<typeof SettingsFacts>;

/** A call as its runtime is admitted to it. */
export const CallStanding = z.object({
  organizationId: z.string(),
  agentId: z.string(),
  isOver: z.boolean(),
});
export type CallStanding = z.infer<typeof CallStanding>;

/** Facts for the configuration of an agent in a call. */
export const AtStartFacts = z.object({
  /** Null for a call that nobody has reported yet, and where it could not be read. */
  call: CallStanding.nullable(),
});
export type AtStartFacts = z.infer<typeof AtStartFacts>;
