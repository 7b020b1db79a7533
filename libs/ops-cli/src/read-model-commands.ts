// es:rebuild and es:replay: make a read model anew, or apply what it had set aside, of whichever service has it.
import type { EnvSource } from '@parlance/config';
import type { EventSourcedService, ServiceReadModel } from './event-sourced-service.js';
import { UsageError } from './failures.js';
import { type Output, progressBar } from './terminal.js';

export interface Workplace {
  readonly services: readonly EventSourcedService[];
  /** The variables of a service. @throws Error that says what to do where they cannot be known */
  variablesOf(service: EventSourcedService): EnvSource;
  readonly output: Output;
  /** Aborted when somebody wants it to stop. */
  readonly signal?: AbortSignal;
}

/** The names, under the services that have them. */
export const listOf = (services: readonly EventSourcedService[]): string =>
  services
    .flatMap(({ service, readModels }) => readModels.map(({ id }) => `  ${id.padEnd(20)}${service}`))
    .join('\n');

const find = (
  services: readonly EventSourcedService[],
  id: string | undefined,
): { readonly service: EventSourcedService; readonly readModel: ServiceReadModel } => {
  for (const service of services)
    for (const readModel of service.readModels) if (readModel.id === id) return { service, readModel };
  const what = id === undefined ? 'Which one?' : `There is no read model "${id}".`;
  throw new UsageError(`${what} These are known:\n${listOf(services)}`);
};

const share = (position: bigint, head: bigint): number =>
  head <= 0n ? 1 : Number((position * 10_000n) / head) / 10_000;

const count = (events: number, one = 'event'): string =>
  `${events.toLocaleString('en')} ${one}${events === 1 ? '' : 's'}`;

/**
 * Makes the read model anew beside the live one and swaps them.
 * @throws UsageError for a name that no service knows; else as `rebuildReadModel`
 */
export const rebuildCommand = async (place: Workplace, id: string | undefined): Promise<void> => {
  const { service, readModel } = find(place.services, id);
  const bar = progressBar(place.output);
  const options = place.signal === undefined ? {} : { signal: place.signal };
  try {
    const { events, parked, seconds } = await readModel.rebuild(place.variablesOf(service), {
      ...options,
      onProgress: ({ events: done, position, head }) =>
        bar.show({ done: share(position, head), text: `${count(done)}, position ${position}` }),
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
 * Applies what the read model had set aside. False when some of it still cannot be applied.
 * @throws UsageError for a name that no service knows; else as `replayParked`
 */
export const replayCommand = async (place: Workplace, id: string | undefined): Promise<boolean> => {
  const { service, readModel } = find(place.services, id);
  const replayed = await readModel.replay(place.variablesOf(service));
  for (const { stream, events, failure } of replayed)
    place.output.write(
      `${stream}: ${failure === undefined ? `${count(events)} applied` : `still waits, ${failure}`}\n`,
    );
  if (replayed.length === 0) place.output.write(`${readModel.id} has nothing set aside.\n`);
  return replayed.every(({ failure }) => failure === undefined);
};
