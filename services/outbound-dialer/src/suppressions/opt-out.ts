// Puts the number of a person on the list who asked in a call not to be called again.
import { events } from '@parlance/contracts';
import type { Clock, Ids } from '@parlance/observability';
import { announce, type Database } from '@parlance/postgres';
import type { HashNumbers } from '../recipients/installation-hashes.js';
import { suppress } from './suppressions.js';

export interface OptOut {
  readonly organizationId: string;
  readonly phoneNumber: string;
  readonly callId: string;
}

export interface OptOutParts {
  readonly db: Database;
  readonly hashNumbers: HashNumbers;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Resolves when the number is on the list. The call still lasts then and keeps the number, so that no other call of the
 * organization to it is dialled in between. Every later one finds the number on the list before its dial.
 */
export const recordOptOut = async (
  parts: OptOutParts,
  { organizationId, phoneNumber, callId }: OptOut,
): Promise<void> => {
  const { db, hashNumbers, clock, ids } = parts;
  const [numberHash = ''] = await hashNumbers([phoneNumber]);
  const cause = { source: 'call', actor: `call:${callId}`, callId, reason: null } as const;
  await db.transaction(async (tx) => {
    await suppress(tx, organizationId, [{ id: ids.next(), phoneNumber, numberHash }], {
      ...cause,
      at: clock.now(),
    });
    const data = { suppressionId: null, change: 'created' as const };
    await announce(tx, parts, events.suppressionsChanged, organizationId, data);
  });
};
