// Holds events to their rule: nothing about a person travels in the clear.
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { consumersOf } from './event-consumers.js';
import { type EventDefinition, eventSubject, travellingData } from './events/event.js';
import { earlierEvents, events } from './events/events.js';
import { toldEvents } from './operations/live-events.js';
import { serviceNames } from './values/service-name.js';

interface Schema {
  readonly type?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** Members that hold a number of the organization's own, which is no person's. */
const ownNumbers: readonly string[] = ['telephony-numbers.number.changed.v1 .phoneNumber'];

const isNumberName = (member: string): boolean => /number|phone/i.test(member) && member !== 'numberId';

/** Places that could hold a telephone number, or any text under any name. */
const openPlaces = (schema: Schema, path: string, definitions: Schema['$defs'] = schema.$defs): string[] => {
  const inside = (inner: Schema, at: string): string[] => openPlaces(inner, at, definitions);
  if (schema.$ref !== undefined) {
    const found = definitions?.[schema.$ref.split('/').at(-1) ?? ''];
    return found === undefined ? [path] : inside(found, path);
  }
  const member = path.split('.').at(-1) ?? '';
  const isNumber =
    schema.type === 'string' && (isNumberName(member) || schema.pattern?.includes('\\+') === true);
  const isFree = schema.type === 'object' && typeof schema.additionalProperties === 'object';
  const isAnything =
    path !== '' && Object.keys(schema).every((key) => key === 'description' || key === '$defs');
  return [
    ...(isNumber || isFree || isAnything ? [path] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => inside(inner, `${path}.${name}`)),
    ...(schema.items === undefined ? [] : inside(schema.items, path)),
    ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((inner) => inside(inner, path)),
  ];
};

const placesOf = (definition: EventDefinition): string[] =>
  openPlaces(
    z.toJSONSchema(travellingData(definition), { io: 'input', unrepresentable: 'any' }) as Schema,
    '',
  ).map((place) => `${eventSubject(definition).replace('parlance.evt.', '')} ${place}`);

describe('an event', () => {
  it('has no member in the clear that could hold a telephone number, or free variables', () => {
    expect(Object.values<EventDefinition>(events).flatMap(placesOf)).toEqual(ownNumbers);
  });

  it('is found by that rule where it has a number, free text under free names, or anything at all', () => {
    const data = z.object({
      calledNumber: z.string(),
      nested: z.object({ variables: z.record(z.string(), z.string()) }),
      list: z.array(z.unknown()),
      version: z.int(),
    });
    const found = placesOf({ name: 'a.b.happened', version: 1, data });
    expect(found).toEqual(
      ['.calledNumber', '.nested.variables', '.list'].map((at) => `a.b.happened.v1 ${at}`),
    );
  });

  it('has a reader: a service that consumes it, or the people who watch live events', () => {
    const keyOf = ({ name, version }: EventDefinition) => `${name}.v${version}`;
    const consumed = serviceNames.flatMap(consumersOf).flatMap(({ events: heard }) => heard.map(keyOf));
    const read = new Set([...consumed, ...toldEvents]);
    const all = [...Object.values<EventDefinition>(events), ...Object.values<EventDefinition>(earlierEvents)];
    expect(all.map(keyOf).filter((key) => !read.has(key))).toEqual([]);
    expect(toldEvents.filter((key) => !all.map(keyOf).includes(key))).toEqual([]);
  });

  it('is sealed for the one service that consumes it', () => {
    for (const definition of Object.values<EventDefinition>(events)) {
      if (definition.personal === undefined) continue;
      const readers = serviceNames.filter((service) =>
        consumersOf(service).some(({ events: heard }) => heard.some(({ name }) => name === definition.name)),
      );
      expect(readers).toEqual([definition.personal.reader]);
    }
  });
});
