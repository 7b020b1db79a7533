// The metadata of every stored event.
import { context, propagation } from '@opentelemetry/api';
import { currentContext } from '@parlance/observability';
import { z } from 'zod';

/** The actor, the command and the time of an event, as the caller of a command knows them. */
export interface EventMeta {
  /** Unique per command and stable over its retries: event ids are made of it, so a repeated append changes nothing. */
  readonly commandId: string;
  readonly organizationId: string;
  /** `user:<id>`, `key:<id>` or `platform:<service>`. */
  readonly actor: string;
  /** The id for a command that no request led to; else the request at hand is remembered. */
  readonly requestId: string;
  /** ISO 8601, UTC. When it happened, which may be long before it is recorded. */
  readonly occurredAt: string;
  /** Id of the event or message that led to this. */
  readonly causationId?: string;
}

/** Stored beside every event, in the clear. Holds no personal data. */
export const EventMetadata = z.object({
  eventId: z.string(),
  schemaVersion: z.int().min(1),
  occurredAt: z.string(),
  organizationId: z.string(),
  actor: z.string(),
  requestId: z.string(),
  causationId: z.string().nullable().default(null),
  /** W3C trace context of the command, so that a trace goes on into projections. */
  traceparent: z.string().nullable().default(null),
});
export type EventMetadata = z.infer<typeof EventMetadata>;

const activeTraceparent = (): string | null => {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
};

/** The metadata of one event of a command. */
export const metadataOf = (meta: EventMeta, eventId: string, schemaVersion: number): EventMetadata => ({
  eventId,
  schemaVersion,
  occurredAt: meta.occurredAt,
  organizationId: meta.organizationId,
  actor: meta.actor,
  requestId: currentContext()?.requestId ?? meta.requestId,
  causationId: meta.causationId ?? null,
  traceparent: activeTraceparent(),
});
