// Website widgets, and the sessions that visitors open through them.
import { z } from 'zod';
import { IceServer } from './agent.js';
import { answersWith, name, stringMap, text, timestamp, uuid } from './text.js';

const color = z.string().regex(/^#[0-9a-fA-F]{6}$/);
const texts = {
  launcher: text(1, 60),
  title: text(1, 120),
  start: text(1, 60),
  end: text(1, 60),
  listening: text(1, 60),
  speaking: text(1, 60),
  consentAccept: text(1, 60),
};
const theme = {
  mode: z.enum(['light', 'dark', 'auto']),
  variant: z.enum(['compact', 'full', 'inline']),
  position: z.enum(['bottom-right', 'bottom-left', 'top-right', 'top-left']),
  primaryColor: color,
  backgroundColor: color,
  textColor: color,
  borderRadius: z.int().min(0).max(64),
  avatarUrl: text(1, 2_048).nullable(),
};
const origin = text(1, 300).refine((value) => /^https?:\/\/(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/.test(value), {
  ...answersWith('INVALID_ORIGIN', 'must be a scheme and a host, such as https://example.com'),
});
const consent = {
  required: z.boolean(),
  text: text(1, 2_000).nullable(),
  privacyUrl: text(1, 2_048).nullable(),
  version: text(1, 64),
};
const limits = {
  maxSessionSeconds: z.int().min(30).max(3_600),
  maxConcurrentSessions: z.int().min(1).max(1_000),
  sessionsPerIpPerHour: z.int().min(1).max(10_000),
  dailySessions: z.int().min(1).max(1_000_000).nullable(),
};
const settings = {
  name: name(1, 120),
  enabled: z.boolean(),
  theme: z.strictObject({ ...theme, texts: z.strictObject(texts).partial() }).partial(),
  allowedOrigins: z.array(origin).max(100),
  consent: z.strictObject(consent).partial(),
  limits: z.strictObject(limits).partial(),
  allowedVariables: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/)).max(64),
};
export const WidgetInput = z.strictObject(settings).partial().required({ name: true });
export const WidgetUpdate = z.strictObject(settings).partial();

const Theme = z.object({ ...theme, texts: z.object(texts) });
const Consent = z.object(consent);

export const Widget = z
  .object({
    id: uuid,
    agentId: uuid,
    name: z.string(),
    enabled: z.boolean(),
    theme: Theme,
    allowedOrigins: z.array(z.string()),
    consent: Consent,
    limits: z.object(limits),
    allowedVariables: z.array(z.string()),
    embedSnippet: z.string(),
    stats: z.object({ sessions30d: z.int() }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Widget' });

export const PublicWidgetConfig = z
  .object({
    id: uuid,
    theme: Theme,
    consent: Consent,
    agentName: z.string(),
    enabled: z.literal(true),
    maxSessionSeconds: z.int(),
  })
  .meta({ id: 'PublicWidgetConfig' });

export const WidgetSessionInput = z.strictObject({
  dynamicVariables: stringMap.optional(),
  consent: z.strictObject({ accepted: z.literal(true), version: text(1, 64) }).optional(),
  pageUrl: text(1, 2_048).optional(),
  visitorId: text(1, 128).optional(),
});
export const WidgetSession = z
  .object({
    sessionId: uuid,
    endToken: z.string(),
    roomName: z.string(),
    serverUrl: z.string(),
    token: z.string(),
    iceServers: z.array(IceServer).optional(),
    maxDurationSeconds: z.int(),
    expiresAt: timestamp,
  })
  .meta({ id: 'WidgetSession' });
export const WidgetSessionEndInput = z.strictObject({
  endToken: text(1, 256).optional(),
  reason: text(1, 200).optional(),
});
export const WidgetSessionEnd = z.object({
  sessionId: uuid,
  ended: z.literal(true),
  durationSeconds: z.number(),
});
