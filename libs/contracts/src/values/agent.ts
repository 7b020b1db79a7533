// Agents, and sessions to try them in a browser.
import { z } from 'zod';
import { name, stringMap, timestamp, uuid } from './text.js';

export const templateSlugs = ['business', 'medical', 'support', 'blank'] as const;

/** A template as callers name it, slug or uuid; kept exactly as given. */
const templateId = z.union([z.enum(templateSlugs), z.guid()]).nullable();

export const AgentInput = z
  .strictObject({
    name: name(2, 120).meta({
      description: 'name of the agent, shown to operators only',
      examples: ['Front desk'],
    }),
    isActive: z.boolean().meta({ description: 'an inactive agent neither takes nor makes calls' }),
    templateId: templateId.meta({
      description: 'template to start from: a slug, the UUID of a template, or null',
    }),
  })
  .meta({ id: 'AgentInput', description: 'A new agent.' });
export const AgentUpdate = AgentInput.partial().meta({
  id: 'AgentUpdate',
  description: 'Changes to an agent; absent fields stay as they are.',
});

export const Agent = z
  .object({
    id: uuid,
    name: z.string(),
    isActive: z.boolean(),
    templateId: z.string().nullable(),
    hasConfig: z.boolean(),
    configVersion: z.int().nullable(),
    phoneNumbers: z.array(z.object({ id: uuid, phoneNumber: z.string() })),
    counts: z.object({
      tools: z.int(),
      knowledgeSources: z.int(),
      widgets: z.int(),
      mcpConnections: z.int(),
    }),
    lastCallAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Agent', description: 'A voice agent, with its numbers and counts.' });
export type Agent = z.infer<typeof Agent>;

export const IceServer = z.object({
  urls: z.array(z.string()),
  username: z.string().optional(),
  credential: z.string().optional(),
});

export const PreviewSessionInput = z.strictObject({ dynamicVariables: stringMap.optional() });
export const PreviewSession = z
  .object({
    sessionId: uuid,
    agentId: uuid,
    callId: z.string(),
    roomName: z.string(),
    serverUrl: z.string(),
    token: z.string(),
    identity: z.string(),
    configVersion: z.int(),
    iceServers: z.array(IceServer).optional(),
    maxDurationSeconds: z.int(),
    expiresAt: timestamp,
  })
  .meta({
    id: 'PreviewSession',
    description: 'A conversation by voice with an agent, to try it in the browser.',
  });
