// Who shares a network with whom. Stores are in internal networks; what faces the internet and is not ours is in none of these; and
// every address that a service is given can be reached.
import type { ComposeFile, Service } from './compose-file.js';

type Ours = { readonly processes: readonly { readonly name: string }[] };

const usual = 'default';

/** Undefined for a service in no network of Compose: in none at all, or in that of the machine. */
export const networksOf = ({ networks, network_mode: mode }: Service): readonly string[] | undefined =>
  mode === undefined ? (networks ?? [usual]) : undefined;

const internalOf = ({ networks }: ComposeFile): ReadonlySet<string> =>
  new Set(Object.entries(networks).flatMap(([name, network]) => (network?.internal === true ? [name] : [])));

/** Settings, and the scripts and documents in them, as one text. */
const textOf = ({ environment, command, entrypoint }: Service): string =>
  [...Object.values(environment), ...[command ?? [], entrypoint ?? []].flat()].join('\n');

/** Names of other services where the text names an address: `//postgres:5432`, `@nats-1:4222`, `address: redis:6379`. */
const addressesIn = (text: string, names: readonly string[]): readonly string[] =>
  names.filter((name) => new RegExp(`(?:[/@]|address: )${name}:\\d`).test(text));

const isOurs = (name: string, service: Service, { processes }: Ours): boolean =>
  processes.some((one) => one.name === name) || JSON.stringify(service.image ?? '').includes('parlance');

/** The faults, one sentence each. */
export const checkNetworks = (file: ComposeFile, ours: Ours): readonly string[] => {
  const internal = internalOf(file);
  const names = Object.keys(file.services);
  return Object.entries(file.services).flatMap(([name, service]) => {
    const own = networksOf(service);
    if (own === undefined) return [];
    const inside = own.filter((network) => internal.has(network));
    const isBetween = inside.length > 0 && inside.length < own.length;
    const reached = addressesIn(
      textOf(service),
      names.filter((other) => other !== name),
    );
    return [
      ...own
        .filter((network) => network !== usual && !(network in file.networks))
        .map((network) => `is in the network ${network}, which is not declared`),
      ...(isBetween && !isOurs(name, service, ours)
        ? [`is in ${inside.join(' and ')} with the stores, and in a network that leads outside`]
        : []),
      ...(inside.length === own.length && service.ports.length > 0
        ? ['publishes ports, and is in internal networks only']
        : []),
      ...reached
        .filter((other) => {
          const theirs = file.services[other];
          const shared = theirs === undefined ? [] : (networksOf(theirs) ?? []);
          return !shared.some((network) => own.includes(network));
        })
        .map((other) => `shares no network with ${other}, which it is told to reach`),
    ].map((problem) => `service ${name} ${problem}`);
  });
};
