// The two forms of a secret: its row in Postgres, and the record that people read.
import type { ResourceRef, SecretRecord } from '@parlance/contracts';

export interface SecretRow {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly version: number;
  readonly last_characters: string | null;
  readonly last_used_at: Date | null;
  /** Null for a secret of an earlier release whose origins are not collected yet. */
  readonly allowed_origins: readonly string[] | null;
  readonly created_by: string;
  readonly created_at: Date;
}

export const secretColumns =
  'id, organization_id, name, description, version, last_characters, last_used_at, allowed_origins, created_by, created_at';

const shownFrom = 12;
const shown = 4;

/** The end of a value, so that people can tell secrets apart. Null for a value that is too short to show a part. */
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
  allowedOrigins: [...(row.allowed_origins ?? [])],
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
});
