// An event as it lies in the store, in plain values: also one that this release does not know.
import { EventMetadata, type PersonalParts, type RawEvent } from '@parlance/event-sourcing';
import { z } from 'zod';

const Payload = z.object({
  data: z.record(z.string(), z.unknown()).default({}),
  personal: z.string().optional(),
});

const Opened = z.record(z.string(), z.unknown()).nullable();

export interface StoredEvent {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly occurredAt: string;
  readonly recordedAt: string;
  readonly organizationId: string;
  readonly actor: string;
  readonly requestId: string;
  readonly causationId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** The personal part, sealed or opened; null when it can never be opened again; absent where the event has none. */
  readonly personal?: string | Readonly<Record<string, unknown>> | null;
}

/** Undefined for an event that no service of the platform wrote. */
export const storedEventOf = (raw: RawEvent): StoredEvent | undefined => {
  const metadata = EventMetadata.safeParse(raw.metadata);
  const payload = Payload.safeParse(raw.data);
  if (!metadata.success || !payload.success) return undefined;
  const { schemaVersion, occurredAt, organizationId, actor, requestId, causationId } = metadata.data;
  const { data, personal } = payload.data;
  return {
    stream: raw.streamId,
    revision: Number(raw.revision),
    id: raw.id,
    type: raw.type,
    version: schemaVersion,
    recordedAt: raw.created.toISOString(),
    ...{ occurredAt, organizationId, actor, requestId, causationId, data },
    ...(personal === undefined ? {} : { personal }),
  };
};

/** The same event with its personal part opened. */
export const opened = async (event: StoredEvent, keys: PersonalParts): Promise<StoredEvent> => {
  if (typeof event.personal !== 'string') return event;
  return { ...event, personal: Opened.parse(await keys.open(event.stream, event.personal)) };
};
