// Erases again, after a restore, what the log of erasures names. Nothing of the service runs yet, and a call that was erased may look
// like one that waits or is in progress: without its number it is not dialled.
import type { Erasure } from '@parlance/erasure';
import type { ApplyErasures } from '@parlance/ops';
import { isRemoved, noteRemoval } from '@parlance/postgres';
import { v5 } from 'uuid';
import { emptyRows } from '../personal-data/empty-recipients.js';
import { forgetCalls } from '../personal-data/forget-calls.js';
import { forgetCampaign } from '../personal-data/forget-campaigns.js';
import { hideDeleted } from './deleted-calls.js';

const callsAtOnce = 200;
const removalNamespace = '0b8f4a0e-54b3-5a57-8f2c-4f3c6f0b7f11';

const idsOf = (erasures: readonly Erasure[], kind: Erasure['kind']): readonly string[] => [
  ...new Set(erasures.filter((erasure) => erasure.kind === kind).map(({ id }) => id)),
];

export const applyErasures: ApplyErasures = async (engines, erasures) => {
  const { db } = engines;
  const calls = idsOf(erasures, 'outbound-call');
  for (let from = 0; from < calls.length; from += callsAtOnce)
    await forgetCalls(engines, calls.slice(from, from + callsAtOnce));
  const deleted = erasures.filter(({ isDeleted }) => isDeleted === true);
  await hideDeleted(
    db,
    deleted.map(({ id: outboundCallId, organizationId }) => ({ outboundCallId, organizationId })),
  );
  for (const id of idsOf(erasures, 'recipient')) {
    const [campaignId = '', rowNumber] = id.split('/');
    await emptyRows(db, campaignId, [Number(rowNumber)], { onlyIdle: false });
  }
  for (const id of idsOf(erasures, 'campaign')) await forgetCampaign(engines, id);
  for (const organizationId of idsOf(erasures, 'organization'))
    await db.transaction(async (tx) => {
      if (await isRemoved(tx, organizationId)) return;
      await noteRemoval(tx, { organizationId, removalId: v5(organizationId, removalNamespace) });
    });
};
