// es:rebuild and es:replay: make a read model of any service anew, or apply its set-aside events.
import type { EnvSource } from '@parlance/config';
import type { EventSourcedService, ServiceReadModel } from './event-sourced-service.js';
import { UsageError } from './failures.js';
import { type Output, progressBar } from './terminal.js';

export interface Workplace {
  readonly services: readonly EventSourcedService[];
  /** The variables of a service. @throws Error with the remedy where they cannot be known */
  variablesOf(service: Pick<EventSourcedService, 'service'>): EnvSource;
  readonly output: Output;
  /** The output of progress, which is no part of the result. */
  readonly errors: Output;
  /** Aborted when the person at the terminal stops the command. */
  readonly signal?: AbortSignal;
}

/** The names, under the services that have them. */
const listOf = (services: readonly EventSourcedService[]): string =>
  services
    .flatMap(({ service, readModels }) => readModels.map(({ id }) => `  ${id.padEnd(20)}${service}`))
    .join('\n');

interface Found {
  readonly service: EventSourcedService;
  readonly readModel: ServiceReadModel;
}

const find = (services: readonly EventSourcedService[], id: string | undefined): readonly Found[] => {
  const known = services.flatMap((service) =>
    service.readModels.map((readModel) => ({ service, readModel })),
  );
  const found = id === 'all' ? known : known.filter(({ readModel }) => readModel.id === id);
  if (found.length > 0) return found;
  const what = id === undefined ? 'Which one?' : `There is no read model "${id}".`;
  throw new UsageError(`${what} These are known, or all for each of them:\n${listOf(services)}`);
};

const share = (position: bigint, head: bigint): number =>
  head <= 0n ? 1 : Number((position * 10_000n) / head) / 10_000;

const count = (events: number): string => `${events.toLocaleString('en')} event${events === 1 ? '' : 's'}`;

const rebuild = async (place: Workplace, { service, readModel }: Found): Promise<void> => {
  const bar = progressBar(place.output);
  const stop = place.signal === undefined ? {} : { signal: place.signal };
  try {
    const { events, parked, seconds } = await readModel.rebuild(place.variablesOf(service), {
      ...stop,
      onProgress: ({ events: done, position, head }) =>
        bar.show(share(position, head), `${count(done)}, position ${position}`),
    });
    bar.end();
    place.output.write(`${readModel.id}: made anew from ${count(events)} in ${seconds.toFixed(1)} s.\n`);
    if (parked > 0)
      place.output.write(
        `${count(parked)} could not be applied and were set aside; /ready shows it, es:replay tries again.\n`,
      );
  } finally {
    bar.end();
  }
};

/**
 * Makes a read model anew beside the live one and swaps them; or all, one after the other.
 * @throws UsageError for a name that no service knows; else as `rebuildReadModel`
 */
export const rebuildCommand = async (place: Workplace, id: string | undefined): Promise<void> => {
  for (const found of find(place.services, id)) await rebuild(place, found);
};

const replay = async (place: Workplace, { service, readModel }: Found): Promise<boolean> => {
  const replayed = await readModel.replay(place.variablesOf(service));
  for (const { stream, events, failure } of replayed)
    place.output.write(
      `${stream}: ${failure === undefined ? `${count(events)} applied` : `still waits, ${failure}`}\n`,
    );
  if (replayed.length === 0) place.output.write(`${readModel.id} has nothing set aside.\n`);
  return replayed.every(({ failure }) => failure === undefined);
};

/**
 * Applies the set-aside events of one read model, or of all. False when some of them still cannot be applied.
 * @throws UsageError for a name that no service knows; else as `replayParked`
 */
export const replayCommand = async (place: Workplace, id: string | undefined): Promise<boolean> => {
  let isDone = true;
  for (const found of find(place.services, id)) isDone = (await replay(place, found)) && isDone;
  return isDone;
};
