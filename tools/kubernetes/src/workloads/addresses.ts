// The destination behind each address variable: the path of a process that reads it, and the processes that only pass
// it on.
import type { Destination } from './workload.js';

/** A process that reads the variable opens connections there. */
export const destinationOf: Readonly<Record<string, Destination>> = {
  POSTGRES_URL: 'postgres',
  POSTGRES_ADMIN_URL: 'postgres',
  NATS_URL: 'nats',
  EVENTSTORE_URL: 'eventstore',
  MONGODB_URL: 'mongodb',
  LIVEKIT_URL: 'livekit',
  OBJECT_STORAGE_URL: 'object-storage',
  GATEWAY_URL: 'gateway',
  MCP_FACADE_URL: 'mcp-facade',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'telemetry',
  TEXT_RUNTIME_URL: 'voice-runtime',
  // the guarded client: webhooks, tools, MCP servers, knowledge sources
  EGRESS_DENY: 'internet',
  SMTP_URL: 'internet',
  MCP_OAUTH_JWKS_URL: 'internet',
  TWILIO_API_URL: 'internet',
  TELNYX_API_URL: 'internet',
  EMBEDDINGS_URL: 'internet',
};

/** Addresses that a process tells others and does not use itself. */
export const toldToOthers: readonly string[] = [
  'PUBLIC_URL',
  'LIVEKIT_WS_URL',
  'OBJECT_STORAGE_PUBLIC_URL',
  'RUNTIME_BASE_URL',
  'WIDGET_BASE_URL',
];

/** The destinations of a process with these variables; an address without a known destination is named in `unknown`. */
export const reachedThrough = (
  variables: readonly string[],
): { readonly destinations: readonly Destination[]; readonly unknown: readonly string[] } => ({
  destinations: [...new Set(variables.flatMap((name) => destinationOf[name] ?? []))],
  unknown: variables.filter(
    (name) =>
      /_(URL|ENDPOINT)$/.test(name) && destinationOf[name] === undefined && !toldToOthers.includes(name),
  ),
});
