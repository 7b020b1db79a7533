// The shape of an integration event: a fact that a service tells others over JetStream. Versioned; a published shape never
// changes.
import { z } from 'zod';
import type { ServiceName } from '../values/service-name.js';
import { timestamp, uuid } from '../values/text.js';

export interface EventDefinition {
  /** `<service>.<aggregate>.<past verb>`. */
  readonly name: `${string}.${string}.${string}`;
  readonly version: number;
  readonly data: z.ZodObject;
  /** Absent for an event that says nothing about a person. */
  readonly personal?: PersonalMembers;
}

/** Members of the data that say something about a person. They travel sealed, and one service alone can open them. */
export interface PersonalMembers {
  readonly reader: ServiceName;
  readonly members: readonly string[];
}

export const defineEvent = <const T extends EventDefinition>(definition: T): T => Object.freeze(definition);

/** One event as it travels. */
export interface IntegrationEvent<T extends EventDefinition = EventDefinition> {
  readonly id: string;
  readonly name: T['name'];
  readonly version: number;
  readonly occurredAt: string;
  readonly organizationId: string;
  readonly data: z.output<T['data']>;
}
export type EventOf<T extends EventDefinition> = IntegrationEvent<T>;

/** Envelope of any event, before its data is parsed by its definition. */
export const EventEnvelope = z.object({
  id: uuid,
  name: z.string(),
  version: z.int(),
  occurredAt: timestamp,
  organizationId: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type EventEnvelope = z.infer<typeof EventEnvelope>;

export const makeEvent = <T extends EventDefinition>(
  definition: T,
  event: Pick<IntegrationEvent<T>, 'id' | 'occurredAt' | 'organizationId' | 'data'>,
): IntegrationEvent<T> => ({ ...event, name: definition.name, version: definition.version });

export const eventSubject = (definition: { readonly name: string; readonly version: number }): string =>
  `parlance.evt.${definition.name}.v${definition.version}`;

/** The data as it travels: `sealed` holds the personal members. */
export const travellingData = ({ data, personal }: EventDefinition): z.ZodObject =>
  personal === undefined
    ? data
    : z.object({
        ...Object.fromEntries(
          Object.entries(data.shape).filter(([member]) => !personal.members.includes(member)),
        ),
        sealed: z.string(),
      });

/** The next version of an event, in which these members travel sealed. */
export const sealing = <const T extends EventDefinition>(
  { name, version, data }: T,
  reader: ServiceName,
  ...members: readonly (keyof z.output<T['data']> & string)[]
): Pick<T, 'name' | 'data'> & { readonly version: number; readonly personal: PersonalMembers } =>
  defineEvent({ name, version: version + 1, data, personal: { reader, members } });
