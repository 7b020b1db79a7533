// The contract's rules for an operation: the permissions that it takes, and whether it takes an Idempotency-Key.
import { accessTable } from '../generated/access.js';

export type AccessKind = 'org' | 'member' | 'orgAdmin' | 'none' | 'anybody' | 'person' | 'ownerOrAdmin';

export interface AccessRow {
  readonly kind: AccessKind;
  /** Takes a verified e-mail address. */
  readonly verified: boolean;
  readonly takesIdempotencyKey: boolean;
  readonly permissions: readonly string[];
}

const rowOf = (line: string): readonly [string, AccessRow] => {
  const [id = '', kind = '', flags = '', ...permissions] = line.split(' ');
  return [
    id,
    {
      kind: kind as AccessKind, // the generated table has no other kinds
      verified: flags.includes('v'),
      takesIdempotencyKey: flags.includes('k'),
      permissions,
    },
  ];
};

const rows: ReadonlyMap<string, AccessRow> = new Map(accessTable.trim().split('\n').map(rowOf));

/** @throws TypeError for an operation that no person asks */
export const accessOf = (operation: string): AccessRow => {
  const row = rows.get(operation);
  if (row === undefined) throw new TypeError(`no person asks ${operation}`);
  return row;
};
