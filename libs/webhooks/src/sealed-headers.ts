// Literal values of webhook headers, which are credentials more often than not: sealed where the configuration is saved,
// opened by the process that sends the request. Between the two they are stored and handed on as they are.
import type { Keyring } from '@parlance/crypto';

/** What a sealed value is bound to: copied to another agent or header, it does not open. */
export interface HeaderPlace {
  readonly organizationId: string;
  readonly agentId: string;
  /** Of the header, however it is written. */
  readonly name: string;
}

const binding = ({ organizationId, agentId, name }: HeaderPlace): string =>
  JSON.stringify(['webhook header', organizationId, agentId, name.toLowerCase()]);

export const sealHeader = (keyring: Keyring, place: HeaderPlace, value: string): string =>
  keyring.seal(Buffer.from(value, 'utf8'), binding(place));

/** @throws CannotOpen */
export const openHeader = (keyring: Keyring, place: HeaderPlace, sealed: string): string =>
  keyring.open(sealed, binding(place)).toString('utf8');
