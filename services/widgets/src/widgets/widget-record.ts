// A widget as Postgres keeps it, and as its organization and its visitors read it.
import type { PublicWidgetConfig, Widget, WidgetMode, WidgetUpdate } from '@parlance/contracts';
import type { ReadyAgent } from './agents.js';

/** All that people configure, but for the name and whether the widget is enabled. */
export type WidgetDocument = Pick<
  Widget,
  | 'theme'
  | 'allowedOrigins'
  | 'consent'
  | 'limits'
  | 'queue'
  | 'modes'
  | 'allowedVariables'
  | 'requireVisitorToken'
  | 'visitorTokenSecretId'
> & { readonly signedVariables: readonly string[] };

export interface WidgetRow {
  readonly id: string;
  readonly organization_id: string;
  readonly agent_id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly document: WidgetDocument;
  readonly sessions_30d: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A new widget, before its organization changes anything. No origin is admitted. */
export const newDocument: WidgetDocument = {
  theme: {
    ...{ mode: 'auto', variant: 'compact', position: 'bottom-right' },
    ...{ primaryColor: '#1d4ed8', backgroundColor: '#ffffff', textColor: '#111827' },
    ...{ borderRadius: 16, avatarUrl: null },
    texts: {
      ...{ launcher: 'Talk to us', title: 'Talk to us', start: 'Start', end: 'End' },
      ...{ listening: 'Listening', speaking: 'Speaking', consentAccept: 'I agree' },
    },
  },
  allowedOrigins: [],
  consent: { required: false, text: null, privacyUrl: null, version: '1' },
  limits: {
    ...{ maxSessionSeconds: 600, maxConcurrentSessions: 5 },
    ...{ sessionsPerIpPerHour: 10, dailySessions: null },
  },
  queue: { enabled: false, maxWaiting: 20, text: null },
  modes: ['voice', 'text'],
  allowedVariables: [],
  signedVariables: [],
  requireVisitorToken: false,
  visitorTokenSecretId: null,
};

/** Members that documents of older widgets do not have. */
const laterParts = JSON.stringify({
  queue: newDocument.queue,
  signedVariables: newDocument.signedVariables,
});

export const widgetColumns = `id, organization_id, agent_id, name, enabled,
  '${laterParts}'::jsonb || document as document, created_at, updated_at,
  coalesce((select sum(c.sessions)::int from widget_session_counts c
    where c.widget_id = widgets.id and c.day > (now() at time zone 'UTC')::date - 30), 0) as sessions_30d`;

type Partly<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** `change` over `value`; a member that is undefined changes nothing. */
const over = <T extends object>(value: T, change: Partly<T> | undefined): T => {
  const given = Object.entries(change ?? {}).filter(([, member]) => member !== undefined);
  // Only members of T are given, with values that fit.
  return { ...value, ...(Object.fromEntries(given) as Partial<T>) };
};

/** The document after a change; groups that are given in part keep the rest. */
export const changedDocument = (before: WidgetDocument, change: WidgetUpdate): WidgetDocument => {
  const { theme, consent, limits, queue, allowedOrigins, modes, allowedVariables, signedVariables } = change;
  const { texts, ...looks } = theme ?? {};
  const { requireVisitorToken, visitorTokenSecretId } = change;
  const plain = { modes, requireVisitorToken, visitorTokenSecretId };
  return {
    ...over(before, plain),
    theme: { ...over(before.theme, looks), texts: over(before.theme.texts, texts) },
    consent: over(before.consent, consent),
    limits: over(before.limits, limits),
    queue: over(before.queue, queue),
    allowedOrigins: [...new Set(allowedOrigins ?? before.allowedOrigins)],
    allowedVariables: [...new Set(allowedVariables ?? before.allowedVariables)],
    signedVariables: [...new Set(signedVariables ?? before.signedVariables)],
  };
};

/** Injects the address at which browsers reach the gateway. */
export const widgetBaseUrl = Symbol('base URL of widgets');

const embedSnippet = (baseUrl: string, id: string): string =>
  `<script async src="${baseUrl}/widget.js"></script>` +
  `<voice-agent-widget widget-id="${id}" dynamic-variables='{}'></voice-agent-widget>`;

export const toWidget = (row: WidgetRow, baseUrl: string): Widget => ({
  id: row.id,
  agentId: row.agent_id,
  name: row.name,
  enabled: row.enabled,
  ...row.document,
  signedVariables: [...row.document.signedVariables],
  embedSnippet: embedSnippet(baseUrl, row.id),
  stats: { sessions30d: row.sessions_30d },
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** The longest that a session may last, in seconds. */
export const longestSeconds = ({ document }: WidgetRow, { maxDurationSeconds }: ReadyAgent): number =>
  Math.min(document.limits.maxSessionSeconds, maxDurationSeconds ?? document.limits.maxSessionSeconds);

/** The kinds of conversation that this installation can hold. */
export type InstalledModes = Readonly<Record<WidgetMode, boolean>>;

/** The kinds of conversation that visitors can have: the widget offers them, and this installation can hold them. */
export const offeredModes = ({ document }: WidgetRow, installation: InstalledModes): WidgetMode[] =>
  document.modes.filter((mode) => installation[mode]);

/** The part of a widget that every visitor may read. */
export const toPublicConfig = (
  row: WidgetRow,
  agent: ReadyAgent,
  installation: InstalledModes,
): PublicWidgetConfig => ({
  id: row.id,
  theme: row.document.theme,
  consent: row.document.consent,
  modes: offeredModes(row, installation),
  agentName: agent.name,
  language: agent.language,
  queue: { enabled: row.document.queue.enabled, text: row.document.queue.text },
  enabled: true,
  maxSessionSeconds: longestSeconds(row, agent),
});
