// Seals the personal members of events for the service that reads them. The broker, the outbox and parked messages hold no number and
// no variable, and a service that was taken over cannot read what others are told.
import type { CallerEnv } from '@parlance/config';
import {
  type EventDefinition,
  type EventEnvelope,
  eventSubject,
  events,
  type IntegrationEvent,
} from '@parlance/contracts';
import { CannotOpen, openWith, sealFor } from '@parlance/crypto';
import { parseJson, stringifyJson } from '@parlance/json';
import { z } from 'zod';
import { CallerKeys } from './caller-keys.js';

const purpose = 'parlance personal members of an event';

/** With another event, version or organization the sealed bytes do not open. */
const binding = (event: Pick<EventEnvelope, 'id' | 'name' | 'version' | 'organizationId'>): string =>
  JSON.stringify(['event', eventSubject(event), event.organizationId, event.id]);

const definitions: ReadonlyMap<string, EventDefinition> = new Map(
  Object.values(events).map((definition) => [eventSubject(definition), definition]),
);

const personalOf = (event: Pick<EventEnvelope, 'name' | 'version'>) =>
  definitions.get(eventSubject(event))?.personal;

const Sealed = z.object({ sealed: z.string() });
const Members = z.record(z.string(), z.unknown());

export class EventSeals {
  readonly #keys: CallerKeys;

  /** @param process its own name, whose private key opens */
  constructor(process: string, env: CallerEnv) {
    this.#keys = new CallerKeys(process, env);
  }

  seal(event: IntegrationEvent): IntegrationEvent {
    const personal = personalOf(event);
    if (personal === undefined) return event;
    const entries = Object.entries(event.data);
    const isPersonal = ([member]: readonly [string, unknown]): boolean => personal.members.includes(member);
    const plain = stringifyJson(Object.fromEntries(entries.filter(isPersonal)));
    const sealed = sealFor(this.#keys.sealingKeyOf(personal.reader), Buffer.from(plain, 'utf8'), {
      purpose,
      aad: binding(event),
    });
    return { ...event, data: { ...Object.fromEntries(entries.filter((one) => !isPersonal(one))), sealed } };
  }

  /** @throws CannotOpen */
  open(event: EventEnvelope): EventEnvelope {
    if (personalOf(event) === undefined) return event;
    const { sealed: _, ...data } = event.data;
    const found = Sealed.safeParse(event.data);
    if (!found.success) throw new CannotOpen();
    const opened = openWith(this.#keys.opening, found.data.sealed, { purpose, aad: binding(event) });
    return { ...event, data: { ...data, ...Members.parse(parseJson(opened.toString('utf8'))) } };
  }
}
