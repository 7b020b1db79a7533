// The guarantees of a campaign that is over: every recipient in the file was called, and ended as its call did. After a
// cancellation no further recipient is called.
import type { Database } from '@parlance/postgres';
import { endOf, roomOf } from './attempts.js';
import { cancelGraceMs, type Heard, heardByRoom, ringsTooLate, type Violation } from './audit.js';
import type { Evidence } from './evidence/evidence.js';
import { patiently } from './evidence/patience.js';

export interface Recipient {
  readonly campaignId: string;
  readonly rowNumber: number;
  readonly callId: string;
  readonly state: string;
  readonly attempts: number;
  /** The state of the campaign, and the reason for a pause. */
  readonly campaign: string;
}

export interface Recipients {
  readonly recipients: readonly Recipient[];
  /** By state, as the progress of all campaigns together is told. */
  readonly counts: Readonly<Record<string, number>>;
}

export const readRecipients = async (db: Database): Promise<Recipients> => {
  const { rows } = await patiently(() =>
    db.query<Recipient>(
      `select r.campaign_id as "campaignId", r.row_number as "rowNumber", r.outbound_call_id as "callId", r.state,
         r.attempts, concat_ws(' ', c.status, c.state->>'reason') as campaign
       from campaign_recipients r join campaigns c on c.id = r.campaign_id`,
    ),
  );
  const counted = await patiently(() =>
    db.query<{ state: string; recipients: number }>(
      'select state, sum(recipients)::int as recipients from campaign_counts group by state',
    ),
  );
  const counts = Object.fromEntries(counted.rows.map(({ state, recipients }) => [state, recipients]));
  return { recipients: rows, counts };
};

function* recipientFaults(
  { callId, state, attempts, campaign }: Recipient,
  evidence: Evidence,
  heard: ReadonlyMap<string, Heard>,
  cancelledAt: number | undefined,
): Generator<string> {
  const events = evidence.streams.get(callId);
  if (events === undefined) {
    if (cancelledAt === undefined) yield `was never called, the campaign ${campaign}`;
    else if (state !== 'cancelled') yield `is ${state}, and was never called`;
    return;
  }
  const end = endOf(events);
  const started = events.filter(({ type }) => type === 'AttemptStarted');
  // A voicemail is a conversation for the call, and nothing here leaves one.
  if (end !== state) yield `is ${state}, the call ${end}`;
  if (started.length !== attempts) yield `has ${attempts} attempts, the call ${started.length}`;
  if (cancelledAt !== undefined && started.some(({ at }) => at > cancelledAt + cancelGraceMs))
    yield 'was called after the campaign was cancelled';
  const heardOf = started.flatMap(({ attemptId }) => heard.get(roomOf(attemptId)) ?? []);
  if (cancelledAt !== undefined && heardOf.some((one) => ringsTooLate(evidence, cancelledAt, one)))
    yield 'was rung up after the campaign was cancelled';
}

/** @param cancelled campaigns, and when people were told so */
export const auditCampaigns = (
  { recipients, counts }: Recipients,
  evidence: Evidence,
  cancelled: ReadonlyMap<string, number>,
): Violation[] => {
  const heard = heardByRoom(evidence);
  const violations = recipients.flatMap((recipient) =>
    [...recipientFaults(recipient, evidence, heard, cancelled.get(recipient.campaignId))].map((fault) => ({
      rule: `a recipient ${fault}`,
      about: `${recipient.callId} in row ${recipient.rowNumber}`,
    })),
  );
  const called = new Set(recipients.map(({ callId }) => callId));
  for (const callId of evidence.streams.keys())
    if (!called.has(callId)) violations.push({ rule: 'a call of nobody in the file', about: callId });
  for (const state of new Set([...recipients.map((one) => one.state), ...Object.keys(counts)])) {
    const found = recipients.filter((one) => one.state === state).length;
    if ((counts[state] ?? 0) !== found)
      violations.push({
        rule: 'the progress does not sum',
        about: `${state}: ${counts[state] ?? 0} of ${found}`,
      });
  }
  return violations;
};
