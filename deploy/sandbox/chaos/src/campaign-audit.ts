// What must hold of a campaign once it is over: everybody in the file was called once, and ended as their call did.
import type { Database } from '@parlance/persistence';
import { endOf } from './attempts.js';
import type { Violation } from './audit.js';
import type { Evidence } from './evidence.js';
import { patiently } from './patience.js';

export interface Recipient {
  readonly rowNumber: number;
  readonly callId: string;
  readonly state: string;
  readonly attempts: number;
}

export interface Recipients {
  readonly recipients: readonly Recipient[];
  /** By state, as the campaign's progress is told. */
  readonly counts: Readonly<Record<string, number>>;
}

export const readRecipients = async (db: Database): Promise<Recipients> => {
  const { rows } = await patiently(() =>
    db.query<Recipient>(
      `select row_number as "rowNumber", outbound_call_id as "callId", state, attempts from campaign_recipients`,
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

function* recipientFaults(recipient: Recipient, { streams }: Evidence): Generator<string> {
  const events = streams.get(recipient.callId);
  if (events === undefined) yield 'was never called';
  else {
    const end = endOf(events);
    const started = events.filter(({ type }) => type === 'AttemptStarted').length;
    // A voicemail is a conversation for the call, and nothing here leaves one.
    if (end !== recipient.state) yield `is ${recipient.state}, the call ${end}`;
    if (started !== recipient.attempts) yield `has ${recipient.attempts} attempts, the call ${started}`;
  }
}

export const auditCampaign = ({ recipients, counts }: Recipients, evidence: Evidence): Violation[] => {
  const violations = recipients.flatMap((recipient) =>
    [...recipientFaults(recipient, evidence)].map((fault) => ({
      rule: `a recipient ${fault}`,
      about: `${recipient.callId} in row ${recipient.rowNumber}`,
    })),
  );
  for (const state of new Set([...recipients.map((one) => one.state), ...Object.keys(counts)])) {
    const found = recipients.filter((one) => one.state === state).length;
    if ((counts[state] ?? 0) !== found)
      violations.push({ rule: 'the progress does not sum', about: `${state}: ${counts[state]} of ${found}` });
  }
  return violations;
};
