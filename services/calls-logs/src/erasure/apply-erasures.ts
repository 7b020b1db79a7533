// Erases again what the log of erasures names, after a backup of before was restored.
import { randomUUID } from 'node:crypto';
import type { Erasure } from '@parlance/erasure';
import { CurrentCollections } from '@parlance/event-sourcing';
import { systemClock } from '@parlance/observability';
import type { ApplyErasures, ErasureEngines } from '@parlance/ops';
import { type Database, noteRemoval } from '@parlance/postgres';
import pLimit from 'p-limit';
import { callsIn } from '../call/call-repository.js';
import { recordingsOf } from '../call/recording-keys.js';
import { callDocuments } from '../projections.js';
import { CallDocuments } from '../read-models/call-documents.js';
import { UnsealedDocuments, unsealedDocumentsId } from '../read-models/unsealed-documents.js';
import { deleteCall } from './delete-call.js';
import { CallEraser } from './erase-calls.js';

const callsAtOnce = 50;
const abreast = 8;
const by = 'platform:erasure-log';

const eraserOf = ({ db, mongo, personalData }: ErasureEngines): CallEraser => {
  if (mongo === undefined) throw new Error('calls are erased from MongoDB, too');
  const unsealed = new UnsealedDocuments(new CurrentCollections(mongo, unsealedDocumentsId), () => true);
  const current = new CurrentCollections(mongo, callDocuments.id);
  const documents = new CallDocuments({ current, keys: personalData, unsealed });
  return new CallEraser({
    db,
    documents,
    personalData,
    erasures: { record: async () => {} },
    clock: systemClock,
  });
};

/** A restored bucket may have files of which the restored tables know nothing. */
const deleteFiles = async (
  storage: ErasureEngines['storage'],
  { organizationId, id: callId }: Erasure,
): Promise<void> => {
  if (storage === undefined) return;
  for await (const { key } of storage.list(recordingsOf(organizationId, callId))) await storage.delete(key);
};

/** A call whose stream was not restored loses its key all the same: the store may come back later than Postgres. */
const eraseSome = async (engines: ErasureEngines, erasures: readonly Erasure[]): Promise<void> => {
  const limit = pLimit(abreast);
  const calls = callsIn(engines.eventStore);
  const now = systemClock.now().toISOString();
  const again = async (erasure: Erasure): Promise<void> => {
    const { organizationId, id: callId } = erasure;
    await deleteCall(calls, { organizationId, callId, by, requestId: `erasure-log:${callId}`, now });
    await deleteFiles(engines.storage, erasure);
  };
  await Promise.all(erasures.map((erasure) => limit(() => again(erasure))));
  await eraserOf(engines).eraseAgain(
    erasures.map(({ organizationId, id: callId }) => ({ organizationId, callId })),
  );
};

/** The organization is cleared away once more, as after its removal. */
const removeAgain = (db: Database, organizationId: string): Promise<void> =>
  db.transaction(async (tx) => {
    const { rowCount } = await tx.query(
      `update organization_closures set next_clearing_at = now() where organization_id = $1 and state = 'removed'`,
      [organizationId],
    );
    if (rowCount === 0) await noteRemoval(tx, { organizationId, removalId: randomUUID() });
  });

/** Persons have no entry of their own here: each of their calls has one. */
export const applyErasures: ApplyErasures = async (engines, erasures) => {
  const calls = erasures.filter(({ kind }) => kind === 'call');
  for (let from = 0; from < calls.length; from += callsAtOnce)
    await eraseSome(engines, calls.slice(from, from + callsAtOnce));
  for (const { kind, organizationId } of erasures)
    if (kind === 'organization') await removeAgain(engines.db, organizationId);
};
