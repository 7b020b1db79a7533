// A secret as Postgres keeps it, and as people read it.
import type { ResourceRef, SecretRecord } from '@parlance/contracts';

export interface SecretRow {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly version: number;
  readonly last_characters: string | null;
  readonly last_used_at: Date | null;
  readonly created_by: string;
  readonly created_at: Date;
}

export const secretColumns =
  'id, organization_id, name, description, version, last_characters, last_used_at, created_by, created_at';

const shownFrom = 12;
const shown = 4;

/** The end of a value, by which people tell secrets apart; null for a value that is too short to give a part away. */
export const lastCharacters = (value: string): string | null => {
  const characters = [...value];
  return characters.length >= shownFrom ? characters.slice(-shown).join('') : null;
};

export const toSecret = (row: SecretRow, usedBy: readonly ResourceRef[]): SecretRecord => ({
  id: row.id,
  name: row.name,
  description: row.description,
  redactedValue: `••••${row.last_characters ?? ''}`,
  version: row.version,
  usedBy: [...usedBy],
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
});
