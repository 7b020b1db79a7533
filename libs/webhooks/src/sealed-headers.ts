// Literal values of webhook headers, which are often credentials. They are sealed where the configuration is saved, and
// opened by the process that sends the request. Between the two they are stored and handed on sealed.
import type { Keyring } from '@parlance/crypto';

/** A text with placeholders, a reference to a secret, or a literal value that was stored sealed. */
export type WebhookHeader = string | { readonly secretId: string } | { readonly sealed: string };

/** The binding of a sealed value: copied to another agent or header, the value does not open. */
export interface HeaderPlace {
  readonly organizationId: string;
  readonly agentId: string;
  /** The name of the header, in upper or lower case. */
  readonly name: string;
}

const headerBinding = ({ organizationId, agentId, name }: HeaderPlace): string =>
  JSON.stringify(['webhook header', organizationId, agentId, name.toLowerCase()]);

export const sealHeader = (keyring: Keyring, place: HeaderPlace, value: string): string =>
  keyring.seal(Buffer.from(value, 'utf8'), headerBinding(place));

/** @throws CannotOpen */
export const openHeader = (keyring: Keyring, place: HeaderPlace, sealed: string): string =>
  keyring.open(sealed, headerBinding(place)).toString('utf8');

/** The bindings of the sealed values among the headers of a webhook, by value. */
export const sealedHeaderBindings = (
  { organizationId, agentId }: Omit<HeaderPlace, 'name'>,
  headers: Readonly<Record<string, WebhookHeader>>,
): readonly (readonly [sealed: string, binding: string])[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'object' && 'sealed' in value
      ? [[value.sealed, headerBinding({ organizationId, agentId, name })] as const]
      : [],
  );
