// es:cat: the events of one stream, for people or as JSON.

import { type RawEvent, rawStream } from '@parlance/event-sourcing';
import { type EventSourcedService, type OpenedStreams } from './event-sourced-service.js';
import { UsageError } from './failures.js';
import type { Workplace } from './read-model-commands.js';
import { opened, type StoredEvent, storedEventOf } from './stored-event.js';

export interface CatOptions {
  readonly from: number;
  readonly limit: number;
  readonly json: boolean;
  readonly personal: boolean;
}

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const fieldsOf = (event: StoredEvent): readonly string[] => {
  const fields = Object.entries(event.data).map(([name, value]) => `${name}: ${show(value)}`);
  if (event.personal === undefined) return fields;
  if (typeof event.personal === 'string')
    return [...fields, `personal: sealed, ${event.personal.length} characters`];
  if (event.personal === null) return [...fields, 'personal: forgotten'];
  const opened = Object.entries(event.personal).map(([name, value]) => `personal.${name}: ${show(value)}`);
  return [...fields, ...opened];
};

const lines = (event: StoredEvent): string =>
  [
    `${String(event.revision).padStart(4)}  ${event.type} v${event.version}  ${event.occurredAt}  by ${event.actor}`,
    `      request ${event.requestId}${event.causationId === null ? '' : `, caused by ${event.causationId}`}`,
    ...fieldsOf(event).map((field) => `      ${field}`),
    '',
  ].join('\n');

const serviceOf = (services: readonly EventSourcedService[], stream: string): EventSourcedService => {
  const known = services.flatMap(({ categories }) => categories);
  const found = services.find(({ categories }) => categories.some((name) => stream.startsWith(`${name}-`)));
  if (found !== undefined) return found;
  const examples = known.map((name) => `${name}-${stream}`).join(' or ');
  throw new UsageError(`There are no streams named like "${stream}". Did you mean ${examples}?`);
};

const printed = async (
  { personalData }: OpenedStreams,
  raw: RawEvent,
  { personal, json }: CatOptions,
): Promise<string> => {
  const event = storedEventOf(raw);
  if (event === undefined) return `${raw.revision}  ${raw.type}: not written by this platform\n`;
  const shown = personal ? await opened(event, personalData) : event;
  return json ? JSON.stringify(shown) : lines(shown);
};

/** @throws UsageError for a stream that is not there */
export const catCommand = async (
  { services, variablesOf, output }: Workplace,
  stream: string | undefined,
  options: CatOptions,
): Promise<void> => {
  if (stream === undefined) throw new UsageError('Which stream? One is named call-<call id>, for example.');
  const service = serviceOf(services, stream);
  await service.withStreams(variablesOf(service), async (streams) => {
    let found = 0;
    const range = { from: BigInt(options.from), limit: options.limit };
    for await (const raw of rawStream(streams.eventStore, stream, range)) {
      found += 1;
      output.write(`${await printed(streams, raw, options)}\n`);
    }
    if (found === 0 && options.from === 0) throw new UsageError(`There is no stream "${stream}".`);
  });
};
