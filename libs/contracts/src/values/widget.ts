// Website widgets, and the sessions that visitors open through them.
import { z } from 'zod';
import { IceServer } from './agent.js';
import { allowedOrigin } from './origin.js';
import { isVisible, name, stringMap, text, timestamp, uuid, variableName } from './text.js';

const markup = /[<>]/;
/** A text that visitors read; it is never markup, wherever it is put. */
const plain = (min: number, max: number) =>
  name(min, max).refine((value) => !markup.test(value), { message: 'must not contain < or >' });

const isWebAddress = (value: string): boolean => {
  const url = markup.test(value) ? null : URL.parse(value);
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
};
const webAddress = text(1, 2_048).refine(isWebAddress, {
  message: 'must be an address that begins with https://',
});

const isPage = (value: string): boolean => ['https:', 'http:'].includes(URL.parse(value)?.protocol ?? '');

const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #1a2b3c');
const texts = {
  launcher: plain(1, 60),
  title: plain(1, 120),
  start: plain(1, 60),
  end: plain(1, 60),
  listening: plain(1, 60),
  speaking: plain(1, 60),
  consentAccept: plain(1, 60),
};
const theme = {
  mode: z.enum(['light', 'dark', 'auto']),
  variant: z.enum(['compact', 'full', 'inline']),
  position: z.enum(['bottom-right', 'bottom-left', 'top-right', 'top-left']),
  primaryColor: color,
  backgroundColor: color,
  textColor: color,
  borderRadius: z.int().min(0).max(64),
  avatarUrl: webAddress.nullable(),
};
const consent = {
  required: z.boolean(),
  text: plain(1, 2_000).nullable(),
  privacyUrl: webAddress.nullable(),
  version: plain(1, 64),
};
const limits = {
  maxSessionSeconds: z.int().min(30).max(3_600),
  maxConcurrentSessions: z.int().min(1).max(1_000),
  sessionsPerIpPerHour: z.int().min(1).max(10_000),
  dailySessions: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .meta({ description: 'per 24 hours; null for no limit' }),
};
const queue = {
  enabled: z.boolean(),
  maxWaiting: z
    .int()
    .min(1)
    .max(1_000)
    .meta({ description: 'maximum number of visitors waiting at the same time' }),
  text: plain(1, 300).nullable().meta({ description: 'text shown to visitors while they wait' }),
};
const mode = z.enum(['voice', 'text']);
export type WidgetMode = z.infer<typeof mode>;
const visitorToken = {
  requireVisitorToken: z.boolean(),
  visitorTokenSecretId: uuid.nullable(),
};
const settings = {
  name: name(1, 120),
  enabled: z.boolean(),
  theme: z.strictObject({ ...theme, texts: z.strictObject(texts).partial() }).partial(),
  allowedOrigins: z.array(allowedOrigin).max(100),
  consent: z.strictObject(consent).partial(),
  limits: z.strictObject(limits).partial(),
  queue: z.strictObject(queue).partial(),
  modes: z.array(mode).min(1).max(2).meta({ description: 'both by default' }),
  allowedVariables: z
    .array(variableName)
    .max(64)
    .meta({ description: 'variables that a page may set; a visitor token may set them too, and decides' }),
  signedVariables: z
    .array(variableName)
    .max(64)
    .meta({ description: 'variables that only a visitor token may set' }),
  ...visitorToken,
};
export const WidgetInput = z.strictObject(settings).partial().required({ name: true });
export type WidgetInput = z.infer<typeof WidgetInput>;
export const WidgetUpdate = z.strictObject(settings).partial();
export type WidgetUpdate = z.infer<typeof WidgetUpdate>;

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
    queue: z.object(queue),
    modes: z.array(mode),
    allowedVariables: z.array(z.string()),
    // Absent from the answer of the release before.
    signedVariables: z.array(z.string()).optional(),
    ...visitorToken,
    embedSnippet: z.string(),
    stats: z.object({ sessions30d: z.int() }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Widget', description: 'A widget that shows an agent on websites.' });
export type Widget = z.infer<typeof Widget>;

export const PublicWidgetConfig = z
  .object({
    id: uuid,
    theme: Theme,
    consent: Consent,
    modes: z.array(mode),
    agentName: z.string(),
    language: z.string().meta({ description: "the agent's language (BCP 47); und if unknown" }),
    queue: z.object(queue).pick({ enabled: true, text: true }),
    enabled: z.literal(true),
    maxSessionSeconds: z.int(),
  })
  .meta({ id: 'PublicWidgetConfig', description: 'What a page needs to show a widget.' });
export type PublicWidgetConfig = z.infer<typeof PublicWidgetConfig>;

export const WidgetSessionInput = z.strictObject({
  mode: mode.optional().meta({
    description: 'defaults to voice if the widget and the installation offer it, otherwise text',
  }),
  dynamicVariables: stringMap.optional(),
  consent: z.strictObject({ accepted: z.literal(true), version: text(1, 64) }).optional(),
  pageUrl: text(1, 2_048)
    .refine(isPage, { message: 'must be the address of a web page' })
    .optional()
    .meta({ description: 'stored without query and fragment' }),
  visitorId: text(1, 128).optional(),
  visitorToken: text(1, 4_096)
    .optional()
    .meta({ description: 'JWT of the site, HS256: sub, exp at most five minutes ahead, variables' }),
  queueTicket: text(1, 64)
    .optional()
    .meta({ description: 'ticket from the last response, for a visitor in the queue' }),
});
export type WidgetSessionInput = z.infer<typeof WidgetSessionInput>;
/** The place of a visitor in the queue of a widget: `error.details.queue` of CONCURRENCY_LIMIT. */
export const WidgetQueuePlace = z.object({
  ticket: z.string(),
  /** 1: the next visitor. */
  position: z.int().min(1),
  text: z.string().nullable(),
});
export type WidgetQueuePlace = z.infer<typeof WidgetQueuePlace>;
export const WidgetSession = z
  .object({
    sessionId: uuid,
    mode,
    endToken: z.string(),
    roomName: z.string().nullable().meta({ description: 'null for text' }),
    serverUrl: z.string().nullable().meta({ description: 'URL of the media server; null for text' }),
    token: z.string().nullable().meta({ description: 'token for the media server; null for text' }),
    iceServers: z.array(IceServer).optional(),
    messagesUrl: z.string().nullable().meta({ description: 'URL to post messages to; null for voice' }),
    firstMessage: z
      .string()
      .nullable()
      .meta({ description: "the agent's greeting for text; null for voice, where it is spoken" }),
    maxDurationSeconds: z.int(),
    expiresAt: timestamp.meta({ description: 'when the session ends at the latest' }),
  })
  .meta({ id: 'WidgetSession', description: 'A conversation of a visitor with the agent of a widget.' });
export type WidgetSession = z.infer<typeof WidgetSession>;
export const WidgetSessionEndInput = z.strictObject({
  endToken: text(1, 256).optional().meta({ description: 'can be sent in the `x-end-token` header instead' }),
  reason: text(1, 200).optional(),
});
export const WidgetMessageInput = z.strictObject({
  endToken: text(1, 256).optional().meta({ description: 'can be sent in the `x-end-token` header instead' }),
  text: text(1, 2_000).refine(isVisible, { message: 'must have a character that can be seen' }),
});
export const WidgetSessionEnd = z.object({
  sessionId: uuid,
  ended: z.literal(true),
  durationSeconds: z.number(),
});
export type WidgetSessionEnd = z.infer<typeof WidgetSessionEnd>;
