// The platform's answers to the page of a visitor. The package has to work without the platform's own packages, so the
// shapes are declared here; `shapes.spec.ts` holds them against the contract.

export type Mode = 'voice' | 'text';

/** Words that the organization chose for its widget. */
export interface WidgetTexts {
  readonly launcher: string;
  readonly title: string;
  readonly start: string;
  readonly end: string;
  readonly listening: string;
  readonly speaking: string;
  readonly consentAccept: string;
}

export interface WidgetTheme {
  readonly mode: 'light' | 'dark' | 'auto';
  readonly variant: 'compact' | 'full' | 'inline';
  readonly position: 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';
  /** Colors are written #rrggbb. */
  readonly primaryColor: string;
  readonly backgroundColor: string;
  readonly textColor: string;
  /** The radius in CSS pixels. */
  readonly borderRadius: number;
  readonly avatarUrl: string | null;
  readonly texts: WidgetTexts;
}

export interface WidgetConsent {
  readonly required: boolean;
  readonly text: string | null;
  readonly privacyUrl: string | null;
  readonly version: string;
}

/** Answer of `GET /public/widgets/{widgetId}/config`. */
export interface WidgetConfig {
  readonly id: string;
  readonly theme: WidgetTheme;
  readonly consent: WidgetConsent;
  readonly modes: readonly Mode[];
  readonly agentName: string;
  readonly maxSessionSeconds: number;
  /** Language of the agent, as a BCP 47 tag; `und` where it is not known. */
  readonly language: string;
}

/** Body of `POST /public/widgets/{widgetId}/sessions`. */
export interface SessionWish {
  readonly mode: Mode;
  readonly dynamicVariables?: Readonly<Record<string, string>>;
  readonly consent?: { readonly accepted: true; readonly version: string };
  readonly pageUrl?: string;
  readonly visitorId?: string;
  readonly visitorToken?: string;
  readonly queueTicket?: string;
}

export interface IceServer {
  readonly urls: readonly string[];
  readonly username?: string | undefined;
  readonly credential?: string | undefined;
}

/** A conversation that the platform has opened. */
export interface Session {
  readonly sessionId: string;
  readonly mode: Mode;
  readonly endToken: string;
  readonly serverUrl: string | null;
  readonly token: string | null;
  readonly iceServers?: readonly IceServer[] | undefined;
  /** The address at which a text conversation takes messages. */
  readonly messagesUrl: string | null;
  readonly firstMessage: string | null;
  readonly maxDurationSeconds: number;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** The place of a visitor who waits for the agent. */
export interface QueuePlace {
  readonly ticket: string;
  /** 1: next. */
  readonly position: number;
  readonly text: string | null;
}
