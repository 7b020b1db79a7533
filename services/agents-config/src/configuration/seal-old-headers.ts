// Seals the header values that older releases stored in clear. Each piece is one transaction: a copy that dies leaves whole
// versions to the next one. Copies that start together take different versions. When nothing is left, a look costs as much
// as an empty index.
import type { Keyring } from '@parlance/crypto';
import { stringifyStored } from '@parlance/json';
import { type Logger, type RunningPart, startRounds } from '@parlance/observability';
import { type Database, lockedRows } from '@parlance/postgres';
import { type StoredDocument, sealStored } from './stored-webhooks.js';

export interface SealOldHeadersOptions {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly logger: Logger;
}

interface OldVersion {
  readonly organizationId: string;
  readonly agentId: string;
  readonly version: number;
  readonly document: StoredDocument;
}

const atOnce = 50;
const unsealed = {
  table: 'agent_configurations',
  columns: 'organization_id as "organizationId", agent_id as "agentId", version, document',
  where: 'not headers_sealed',
};
/** While a new release replaces an old one, copies of the old one still save values in clear. */
const everyMs = 60_000;

/** @returns the number of versions that were sealed */
const sealSome = ({ db, keyring }: SealOldHeadersOptions): Promise<number> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.query<OldVersion>(lockedRows(unsealed, atOnce));
    for (const { organizationId, agentId, version, document } of rows) {
      const sealed = sealStored(document, { keyring, organizationId, agentId });
      await tx.query(
        `update agent_configurations set document = $4, headers_sealed = true
         where organization_id = $1 and agent_id = $2 and version = $3`,
        [organizationId, agentId, version, stringifyStored(sealed)],
      );
    }
    return rows.length;
  });

/** Starts at once. */
export const startSealingOldHeaders = (options: SealOldHeadersOptions): RunningPart =>
  startRounds({
    name: 'sealing of header values that an older release stored',
    everyMs,
    logger: options.logger,
    round: async (stopping) => {
      while (!stopping.aborted && (await sealSome(options)) > 0);
    },
  });
