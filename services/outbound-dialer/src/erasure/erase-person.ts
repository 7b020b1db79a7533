// Erases everything of one number in one organization, a piece at a time. Waiting calls are cancelled first; a call that rings or
// talks ends its course, and is erased by a later piece.
import type { PersonalData } from '@parlance/crypto';
import type { Erasure, Erasures } from '@parlance/erasure';
import { AppError } from '@parlance/errors';
import type { EventStoreConnection } from '@parlance/event-sourcing';
import type { ObjectStorage } from '@parlance/object-storage';
import type { Clock } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { terminalStates } from '../domain/campaign/recipient-states.js';
import { emptyRows } from '../personal-data/empty-recipients.js';
import { forgetCalls } from '../personal-data/forget-calls.js';
import { deleteFilesOf } from '../personal-data/forget-campaigns.js';
import { installationHashes } from '../personal-data/installation-hashes.js';
import { numberHash } from '../personal-data/number-hashes.js';
import { digitsHashOf } from '../personal-data/sealed-recipients.js';
import { type OutboundCalls, stepMeta } from '../repositories/outbound-call-repository.js';
import {
  callsOfNumber,
  deleteAttemptCounts,
  hideSuppressedNumber,
  isReadingFiles,
  type NumberKey,
  type RecipientOfNumber,
  recipientsOfNumber,
  refusedRowsOfNumber,
} from './person-rows.js';
import { sealOldCalls } from './seal-old-calls.js';

export interface ErasingParts {
  readonly db: Database;
  readonly calls: OutboundCalls;
  readonly eventStore: Pick<EventStoreConnection, 'driver'>;
  readonly personalData: PersonalData;
  readonly storage: Pick<ObjectStorage, 'delete'> | undefined;
  readonly erasures: Pick<Erasures, 'record'>;
  readonly clock: Clock;
}

export interface Person {
  readonly organizationId: string;
  readonly phoneNumber: string;
}

export interface ErasedPiece {
  readonly erased: number;
  readonly more: boolean;
}

interface Row {
  readonly campaignId: string;
  readonly rowNumber: number;
}

const atOnce = 200;

export const numberKeyOf = async (
  { personalData }: Pick<ErasingParts, 'personalData'>,
  { organizationId, phoneNumber }: Person,
): Promise<NumberKey> => ({
  organizationId,
  phoneNumber,
  hash: await numberHash(personalData, organizationId, phoneNumber),
  digitsHash: await digitsHashOf(personalData, organizationId, phoneNumber),
});

const cancelCall = async (
  { calls, clock }: ErasingParts,
  organizationId: string,
  id: string,
): Promise<void> => {
  const now = clock.now().toISOString();
  const command = { type: 'CancelCall', organizationId, reason: 'cancelled_by_user', now } as const;
  await calls(id, command, stepMeta(organizationId, id, 'CancelWithPerson', now)).catch((error: unknown) => {
    // It ended in the same moment.
    if (!(error instanceof AppError) || error.code !== 'CALL_NOT_CANCELLABLE') throw error;
  });
};

/** True for a call of which nothing rings or talks any more; the read model may not have heard of its end yet. */
const isOver = async (parts: ErasingParts, organizationId: string, id: string): Promise<boolean> => {
  const { state } = await parts.calls.load(id);
  if (state.phase === 'absent') return false;
  if (state.phase === 'queued') {
    await cancelCall(parts, organizationId, id);
    // It may have been dialled in the same moment.
    const after = (await parts.calls.load(id)).state;
    return after.phase === 'ended' && after.hangUp === null;
  }
  return state.phase === 'ended' && state.hangUp === null;
};

const overAmong = async (
  parts: ErasingParts,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly string[]> => {
  const over: string[] = [];
  for (const id of ids) if (await isOver(parts, organizationId, id)) over.push(id);
  return over;
};

/** A recipient that a dialer has taken may be called any moment, and ends with its call. */
const isIdle = ({ state, isPlaced }: RecipientOfNumber): boolean =>
  terminalStates.some((terminal) => terminal === state) || (state === 'pending' && !isPlaced);

const byCampaign = (rows: readonly Row[]): ReadonlyMap<string, readonly number[]> => {
  const campaigns = new Map<string, number[]>();
  for (const { campaignId, rowNumber } of rows)
    campaigns.set(campaignId, [...(campaigns.get(campaignId) ?? []), rowNumber]);
  return campaigns;
};

const recipientId = ({ campaignId, rowNumber }: Row): string => `${campaignId}/${rowNumber}`;

/** @throws AppError STORAGE_UNAVAILABLE while the log of erasures cannot be written: nothing was erased then */
export const erasePerson = async (parts: ErasingParts, person: Person): Promise<ErasedPiece> => {
  const { db, erasures, clock } = parts;
  const { organizationId } = person;
  if (!(await sealOldCalls(parts, organizationId))) return { erased: 0, more: true };
  const key = await numberKeyOf(parts, person);
  const recipients = await recipientsOfNumber(db, key, atOnce);
  const idle = recipients.filter(isIdle);
  const refused = await refusedRowsOfNumber(db, key, atOnce);
  const placed = recipients.flatMap(({ isPlaced, outboundCallId }) => (isPlaced ? [outboundCallId] : []));
  const calls = [...new Set([...placed, ...(await callsOfNumber(db, key, atOnce))])];
  const over = await overAmong(parts, organizationId, calls);
  const rows: readonly Row[] = [...idle, ...refused];
  const at = clock.now().toISOString();
  const entry = (kind: Erasure['kind'], id: string): Erasure => ({ organizationId, kind, id, at });
  // Before anything is erased: what is gone cannot be found and logged any more.
  await erasures.record([
    ...over.map((id) => entry('outbound-call', id)),
    ...rows.map((row) => entry('recipient', recipientId(row))),
  ]);
  await forgetCalls(parts, over);
  const campaigns = byCampaign(rows);
  let left = 0;
  for (const [campaignId, rowNumbers] of campaigns)
    left += await emptyRows(db, campaignId, rowNumbers, { onlyIdle: true });
  await deleteFilesOf(parts, [...campaigns.keys()]);
  const [counted = ''] = await installationHashes(parts.personalData)([person.phoneNumber]);
  await deleteAttemptCounts(db, key, counted);
  await hideSuppressedNumber(db, key, counted);
  const isFull = [recipients, refused, calls].some(({ length }) => length >= atOnce);
  const isWaiting = left > 0 || over.length < calls.length || idle.length < recipients.length;
  return {
    erased: over.length + rows.length - left,
    more: isFull || isWaiting || (await isReadingFiles(db, organizationId)),
  };
};
