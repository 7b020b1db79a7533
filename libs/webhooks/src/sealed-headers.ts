// Literal values of configured headers, which are often credentials. They are sealed where they are saved, and opened by the
// process that sends the request. Between the two they are stored and handed on sealed.
import { originOfUrl } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';

/** A text with placeholders, a reference to a secret, or a literal value that was stored sealed. */
export type WebhookHeader = string | { readonly secretId: string } | SealedHeader;

/** The binding of a sealed value: copied to another owner, header or origin, the value does not open. */
export interface HeaderPlace {
  /** What has the header. */
  readonly kind: 'webhook' | 'tool' | 'mcp';
  readonly organizationId: string;
  /** The agent, tool or connection. */
  readonly ownerId: string;
  /** The name of the header, in upper or lower case. */
  readonly name: string;
  /** The origin of the address that the header is sent to. */
  readonly origin: string;
}

export interface SealedHeader {
  /** Without the origin, as release 0.2.0 reads it. The release after this one does not write it any more. */
  readonly sealed: string;
  /** With the origin. Absent in what release 0.2.0 wrote; the next save of its owner adds it. */
  readonly bound?: string | undefined;
}

const placeWithoutOrigin = ({ kind, organizationId, ownerId, name }: HeaderPlace): string[] => [
  `${kind} header`,
  organizationId,
  ownerId,
  name.toLowerCase(),
];

const bindingWithoutOrigin = (place: HeaderPlace): string => JSON.stringify(placeWithoutOrigin(place));
const binding = (place: HeaderPlace): string => JSON.stringify([...placeWithoutOrigin(place), place.origin]);

export const sealHeader = (keyring: Keyring, place: HeaderPlace, value: string): SealedHeader => ({
  sealed: keyring.seal(Buffer.from(value, 'utf8'), bindingWithoutOrigin(place)),
  bound: keyring.seal(Buffer.from(value, 'utf8'), binding(place)),
});

/** @throws CannotOpen, also for a value that was sealed for another origin */
export const openHeader = (keyring: Keyring, place: HeaderPlace, { sealed, bound }: SealedHeader): string => {
  const opened =
    bound === undefined
      ? keyring.open(sealed, bindingWithoutOrigin(place))
      : keyring.open(bound, binding(place));
  return opened.toString('utf8');
};

/** The value with its binding to the origin. @throws CannotOpen */
export const bindHeader = (keyring: Keyring, place: HeaderPlace, header: SealedHeader): SealedHeader => {
  const value = openHeader(keyring, place, header);
  return header.bound === undefined ? sealHeader(keyring, place, value) : header;
};

/** Where literal values of the headers of an agent's webhook go. */
export const webhookOwner = ({
  organizationId,
  agentId,
  url,
}: {
  readonly organizationId: string;
  readonly agentId: string;
  readonly url: string;
}): Omit<HeaderPlace, 'name'> => ({
  kind: 'webhook',
  organizationId,
  ownerId: agentId,
  origin: originOfUrl(url) ?? '',
});

const isSealed = (value: unknown): value is SealedHeader =>
  typeof value === 'object' && value !== null && 'sealed' in value;

/** The bindings of the sealed values among headers, by value. */
export const sealedHeaderBindings = (
  owner: Omit<HeaderPlace, 'name'>,
  headers: Readonly<Record<string, unknown>>,
): readonly (readonly [sealed: string, binding: string])[] =>
  Object.entries(headers).flatMap(([name, value]) => {
    if (!isSealed(value)) return [];
    const place = { ...owner, name };
    const unbound = [value.sealed, bindingWithoutOrigin(place)] as const;
    return value.bound === undefined ? [unbound] : [unbound, [value.bound, binding(place)] as const];
  });
