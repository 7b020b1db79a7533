// Literal values of webhook headers, which are often credentials. They are sealed where the configuration is saved, and
// opened by the process that sends the request. Between the two they are stored and handed on sealed.
import type { Keyring } from '@parlance/crypto';

/** The binding of a sealed value: copied to another agent or header, the value does not open. */
export interface HeaderPlace {
  readonly organizationId: string;
  readonly agentId: string;
  /** The name of the header, in upper or lower case. */
  readonly name: string;
}

const binding = ({ organizationId, agentId, name }: HeaderPlace): string =>
  JSON.stringify(['webhook header', organizationId, agentId, name.toLowerCase()]);

export const sealHeader = (keyring: Keyring, place: HeaderPlace, value: string): string =>
  keyring.seal(Buffer.from(value, 'utf8'), binding(place));

/** @throws CannotOpen */
export const openHeader = (keyring: Keyring, place: HeaderPlace, sealed: string): string =>
  keyring.open(sealed, binding(place)).toString('utf8');
