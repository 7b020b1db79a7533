// The storage format of a category's events. Each type has a schema, a version, and upcasters for versions of older
// releases. Its personal part can only be opened by the subject's own key.
import { z } from 'zod';
import type { Message } from './decider.js';
import type { EventMetadata } from './metadata.js';
import { NewerEvent } from './newer-event.js';

/** The parts of a stored event that an upcaster may rewrite. `personal` is null once its key was destroyed. */
export interface StoredParts {
  readonly data: Readonly<Record<string, unknown>>;
  readonly personal: Readonly<Record<string, unknown>> | null;
}

/** Turns the parts of one version into those of the next. */
export type Upcaster = (stored: StoredParts, metadata: EventMetadata) => StoredParts;

export interface EventDefinition {
  /** Version that is written today. */
  readonly version: number;
  readonly data: z.ZodObject;
  /**
   * Data that identify a person: numbers, spoken words, variables. Stored sealed; null after the subject was forgotten.
   */
  readonly personal?: z.ZodObject;
  /**
   * Folding a stream does without the personal part: `read` leaves it sealed and gives null, subscribers get it. For
   * large data that decide nothing.
   */
  readonly foldsWithoutPersonal?: true;
  /** `upcasters[n]` leads from version n to n + 1; one for every version below `version`. */
  readonly upcasters?: Readonly<Record<number, Upcaster>>;
}

type Definitions = Readonly<Record<string, EventDefinition>>;

type EventOfDefinition<K extends string, D extends EventDefinition> = {
  readonly type: K;
  readonly data: z.output<D['data']>;
} & (D extends { readonly personal: infer P extends z.ZodObject }
  ? { readonly personal: z.output<P> | null }
  : unknown);

/** The union of domain events that these definitions describe. */
export type EventOf<D extends Definitions> = {
  [K in keyof D & string]: EventOfDefinition<K, D[K]>;
}[keyof D & string];

/** An event taken apart for storage; `personal` is still in the clear and must be sealed before it is written. */
export interface Encoded {
  readonly type: string;
  readonly version: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly personal?: Readonly<Record<string, unknown>>;
}

/** The event as read, with `personal` opened; null where the event has none or its key is gone. */
export interface Stored extends StoredParts {
  readonly type: string;
}

export interface Codec<E extends Message> {
  readonly definitions: Definitions;
  /** @throws ZodError when the event does not fit its own schema: a bug in the decider */
  encode(event: E): Encoded;
  /**
   * The domain event in today's shape.
   * @throws NewerEvent for a type or a version that this codec does not know; ZodError when the shape does not fit
   */
  decode(stored: Stored, metadata: EventMetadata): E;
}

/** The union of events of a codec. */
export type EventsOf<C> = C extends Codec<infer E> ? E : never;

/** A value that fits the schema of an object is an object. */
const parsed = (schema: z.ZodObject, value: unknown): Readonly<Record<string, unknown>> =>
  schema.parse(value);

const upcast = (definition: EventDefinition, stored: Stored, metadata: EventMetadata): StoredParts => {
  if (metadata.schemaVersion > definition.version) throw new NewerEvent(stored.type, metadata.schemaVersion);
  let parts: StoredParts = stored;
  for (let version = metadata.schemaVersion; version < definition.version; version += 1) {
    const step = definition.upcasters?.[version];
    if (step === undefined) throw new Error(`${stored.type} has no upcaster from version ${version}`);
    parts = step(parts, metadata);
  }
  return parts;
};

/**
 * Declares the events of one category. The names are the storage format: renaming one is a migration.
 * @throws when an upcaster is missing, so that a forgotten one stops the process and not a call
 */
export const defineEvents = <const D extends Definitions>(definitions: D): Codec<EventOf<D>> => {
  for (const [type, { version, upcasters }] of Object.entries(definitions)) {
    for (let from = 1; from < version; from += 1) {
      if (upcasters?.[from] === undefined) throw new Error(`${type} has no upcaster from version ${from}`);
    }
  }
  const definitionOf = (type: string): EventDefinition | undefined =>
    Object.hasOwn(definitions, type) ? definitions[type] : undefined;
  return {
    definitions,
    encode: (event) => {
      const definition = definitionOf(event.type);
      if (definition === undefined) throw new Error(`${event.type} is not defined`);
      const { type, version } = { type: event.type, version: definition.version };
      const data = parsed(definition.data, event.data);
      if (definition.personal === undefined) return { type, version, data };
      const personal = 'personal' in event ? event.personal : undefined;
      return { type, version, data, personal: parsed(definition.personal, personal) };
    },
    decode: (stored, metadata) => {
      const definition = definitionOf(stored.type);
      if (definition === undefined) throw new NewerEvent(stored.type, metadata.schemaVersion);
      const { data, personal } = upcast(definition, stored, metadata);
      const event = {
        type: stored.type,
        data: definition.data.parse(data),
        ...(definition.personal === undefined
          ? {}
          : { personal: personal === null ? null : definition.personal.parse(personal) }),
      };
      // The definition was found under this very type, so its parsed value is that member of the union.
      return event as EventOf<D>;
    },
  };
};
