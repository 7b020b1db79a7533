// The protocol of the voice runtime. It has the context of a call, the metadata of its room, and the configuration that
// the runtime asks for. The context travels with the agent's dispatch.
import { z } from 'zod';
import { AgentConfiguration } from './agent-configuration.js';
import { Consent, callId, TranscriptTurn } from './call.js';
import { Channel, Direction, EndedReason, Provider } from './call-status.js';
import { Initiation } from './initiation.js';
import { KnowledgeForRuntime } from './knowledge.js';
import { McpToolForRuntime } from './mcp.js';
import { withoutEmptyValues } from './placeholders.js';
import { json, timestamp, uuid } from './text.js';
import { ToolForRuntime } from './tool.js';

const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);
/** Instead of the agent's own. */
const ofThisCall = orNull(z.string()).meta({ description: "null for the agent's own" });

/** The ids and numbers that the record of a telephone call needs. */
const record = {
  callId,
  organizationId: z.string().min(1).max(64),
  agentId: uuid,
  configVersion: orNull(z.int().min(0)).meta({
    description: 'current version when the call was placed; null if unknown',
  }),
  direction: Direction,
  channel: Channel,
  fromNumber: orNull(z.string()),
  toNumber: orNull(z.string()),
  provider: orNull(Provider),
  outboundCallId: orNull(uuid),
  campaignId: orNull(uuid),
  widgetId: orNull(uuid),
};

/** The context of one call. The dispatch gives it to the job of the agent, and to no other participant. */
export const CallContext = z
  .object({
    schemaVersion: z.literal(1).default(1),
    ...record,
    language: ofThisCall,
    voiceId: ofThisCall,
    firstMessage: ofThisCall,
    systemPrompt: ofThisCall,
    dynamicVariables: z
      .record(z.string(), z.string())
      .default({})
      .meta({ description: 'never empty: a variable without a value is omitted' }),
    metadata: z.record(z.string(), json).default({}),
    consent: orNull(Consent).meta({ description: 'given by a visitor before the call started' }),
    callee: orNull(z.object({ identity: z.string(), name: z.string().nullable() })).meta({
      description: 'participant that the platform dials into the room; null for inbound calls',
    }),
    maxDurationSeconds: orNull(z.int().min(1)).meta({
      description: "set if shorter than the configuration's limit; null otherwise",
    }),
  })
  .meta({ id: 'CallContext' });
export type CallContext = z.output<typeof CallContext>;

/**
 * Makes the context of a call; members that are left out are null or empty. Variables with an empty value are left out,
 * so that the agent's defaults hold for them in every runtime.
 */
export const callContext = (call: z.input<typeof CallContext>): CallContext => {
  const context = CallContext.parse(call);
  return { ...context, dynamicVariables: withoutEmptyValues(context.dynamicVariables) };
};

/** The metadata of a telephone call's room. Every participant can read it. */
export const TelephoneRoom = z.object(record).meta({ id: 'TelephoneRoom' });
export type TelephoneRoom = z.output<typeof TelephoneRoom>;

/** The metadata of a room that a browser joins. Every participant can read it. */
export const BrowserRoom = z.object({ callId }).meta({ id: 'BrowserRoom' });
export type BrowserRoom = z.output<typeof BrowserRoom>;

/**
 * The metadata of the call's room: never more than its record needs, because every participant can read it. A browser's
 * room has the id of the call alone, and the platform looks the rest up itself.
 */
export const roomMetadataOf = (context: CallContext): TelephoneRoom | BrowserRoom =>
  context.channel === 'phone' ? TelephoneRoom.parse(context) : { callId: context.callId };

/** A saved version without its webhooks: the platform sends those itself, and their addresses and headers may be secret. */
const ConfigurationForRuntime = AgentConfiguration.omit({
  initiation_webhook: true,
  post_call_webhook: true,
  warnings: true,
}).meta({
  id: 'ConfigurationForRuntime',
  description: 'Configuration of an agent, as the voice runtime reads it.',
});
export type ConfigurationForRuntime = z.infer<typeof ConfigurationForRuntime>;

/** All that the voice runtime needs to hold a conversation. No secret is in it but the token of the call. */
export const RuntimeConfig = z
  .object({
    agent: z.object({ id: uuid, name: z.string(), organizationId: z.string(), isActive: z.boolean() }),
    config: ConfigurationForRuntime,
    tools: z.array(ToolForRuntime),
    mcpTools: z.array(McpToolForRuntime),
    knowledge: KnowledgeForRuntime,
    phoneNumber: z
      .string()
      .optional()
      .meta({ description: 'the called number, if the configuration was requested by number' }),
    initiation: Initiation.nullable().meta({ description: 'null if the agent has no initiation webhook' }),
    runtime: z.object({
      baseUrl: z.string().meta({ description: "prefix of the platform's URLs" }),
      callToken: z.string().nullable().meta({
        description:
          'valid for this call only; null if no call was given, it has ended, or it belongs to another agent or organization',
      }),
      expiresAt: timestamp.nullable().meta({ description: 'expiry of the token' }),
    }),
    warnings: z
      .array(z.string())
      .meta({ description: 'parts missing from this response because their service is unavailable' }),
  })
  .meta({ id: 'RuntimeConfig', description: 'All that the voice runtime needs for a call.' });
export type RuntimeConfig = z.infer<typeof RuntimeConfig>;

/** The part of it that agents-config owns. The gateway adds those of other services. */
export const AgentAtStart = z.object(RuntimeConfig.shape).omit({
  ...{ tools: true, mcpTools: true, knowledge: true, phoneNumber: true, warnings: true },
});
export type AgentAtStart = z.infer<typeof AgentAtStart>;

/** The question of the platform in a conversation in text. The turns are the whole conversation; the last one is the visitor's. */
export const TextTurnRequest = z
  .object({ context: CallContext, turns: z.array(TranscriptTurn).min(1) })
  .meta({ id: 'TextTurnRequest' });
export type TextTurnRequest = z.output<typeof TextTurnRequest>;

/** A turn as a runtime answers it. The platform numbers and times it, because a runtime without state knows neither. */
const AnsweredTurn = z
  .object({
    role: z.enum(['agent', 'tool']),
    text: TranscriptTurn.shape.text,
    language: TranscriptTurn.shape.language,
    toolCall: TranscriptTurn.shape.toolCall,
    sources: TranscriptTurn.shape.sources,
    model: TranscriptTurn.shape.model,
    fallbacks: TranscriptTurn.shape.fallbacks,
    timings: TranscriptTurn.shape.timings,
  })
  .meta({ id: 'AnsweredTurn' });
export type AnsweredTurn = z.output<typeof AnsweredTurn>;

/** The events of a runtime's answer to a TextTurnRequest, by their names. */
export const textTurnEvents = {
  text: z
    .object({ delta: z.string().min(1) })
    .meta({ description: "the agent's next words, to display immediately" }),
  turn: z.object({ turn: AnsweredTurn }).meta({
    description: 'a tool that ran, or the complete turn of the agent, which comes once, after the tools',
  }),
  end: z
    .object({ reason: EndedReason })
    .meta({ description: 'the agent ends the conversation; sent after its turn' }),
  error: z
    .object({ message: z.string() })
    .meta({ description: 'the agent cannot answer; recorded in the logs only' }),
} as const;
