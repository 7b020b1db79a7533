// npm run ops -- limits: shows and sets the limits of the operator for one organization.
import { type ServiceCommand, text, UsageError } from '@parlance/ops';
import type { Tx } from '@parlance/postgres';
import { amountOf } from '../spend/amounts.js';
import { knownRates } from '../spend/rates.js';
import {
  type OperatorLimits,
  type Written,
  writtenAmount,
  writtenCount,
  writtenCountries,
} from './limits-env.js';
import { knownLimits, type LimitChange, setLimits } from './operator-limits.js';
import { where, withDatabase } from './with-database.js';

type Shown = string | number | null;

interface Line {
  readonly option: string;
  readonly limit: keyof OperatorLimits;
  readonly label: string;
  readonly read: (text: string) => Written<unknown>;
  readonly show: (limits: OperatorLimits, currency: string) => Shown;
}

const money = (micros: number | null, currency: string): Shown =>
  micros === null ? null : `${amountOf(micros)} ${currency}`;

const lines: readonly Line[] = [
  {
    ...{ option: 'day', limit: 'dayMicros', label: 'money a day', read: writtenAmount },
    show: ({ dayMicros }, currency) => money(dayMicros, currency),
  },
  {
    ...{ option: 'month', limit: 'monthMicros', label: 'money a month', read: writtenAmount },
    show: ({ monthMicros }, currency) => money(monthMicros, currency),
  },
  {
    ...{ option: 'numbers', limit: 'numbers', label: 'numbers owned', read: writtenCount },
    show: ({ numbers }) => numbers,
  },
  {
    ...{ option: 'concurrent', limit: 'concurrentCalls', label: 'calls at once', read: writtenCount },
    show: ({ concurrentCalls }) => concurrentCalls,
  },
  {
    ...{ option: 'countries', limit: 'countries', label: 'countries', read: writtenCountries },
    show: ({ countries }) => countries?.join(', ') ?? null,
  },
];

/** The form of organization ids in all commands of the platform. */
const organizationIds = /^[A-Za-z0-9_-]{1,64}$/;

/** @throws UsageError for a value that the limit does not take */
const changeOf = (values: Parameters<typeof text>[0]): LimitChange => {
  const change: Record<string, unknown> = {};
  for (const { option, limit, read } of lines) {
    const given = text(values, option);
    if (given === undefined) continue;
    const written = given === 'default' ? { value: undefined } : read(given);
    if ('problem' in written)
      throw new UsageError(`--${option} ${written.problem}, or default, not "${given}".`);
    change[limit] = written.value;
  }
  // Each value was read by the line of its limit.
  return change as LimitChange;
};

const isKnown = async (tx: Tx, organizationId: string): Promise<boolean> => {
  const { rows } = await tx.query<{ known: boolean }>(
    `select exists (select from organization_settings where organization_id = $1)
       or exists (select from outbound_calls where organization_id = $1)
       or exists (select from campaigns where organization_id = $1)
       or exists (select from spend_totals where organization_id = $1) as known`,
    [organizationId],
  );
  return rows[0]?.known === true;
};

const show = async (tx: Tx, organizationId: string): Promise<string> => {
  const { own, inForce: limits } = await knownLimits(tx, organizationId);
  const { currency } = await knownRates(tx);
  const rows = lines.map(({ label, limit, show: shown }) => {
    const value = String(shown(limits, currency) ?? 'no limit');
    return `  ${label.padEnd(15)}${value.padEnd(20)} ${limit in (own ?? {}) ? 'set for this organization' : 'as for everybody'}`;
  });
  const doubt = (await isKnown(tx, organizationId))
    ? []
    : ['', 'The dialer has heard of no call, campaign or setting of this organization. Is its id right?'];
  return [`Limits of organization ${organizationId}`, ...rows, ...doubt, ''].join('\n');
};

export const limitsCommand: ServiceCommand = {
  summary: 'show or set what an organization may spend, own and call',
  help: `npm run ops -- limits <organization id> [options]

Sets what one organization may have at the most, and prints all of its limits. What is already in use stays in use; nothing
new is admitted until there is room. The id is in the log lines of the organization's requests (organizationId).

  --day <amount>         money for calls and numbers on one day, in units of the rates' currency
  --month <amount>       the same for one calendar month
  --numbers <n>          numbers owned, with those that are being bought
  --concurrent <n>       outbound calls at the same time
  --countries <codes>    countries that may be called, such as US,DE

Each takes none for no limit, and default for the limit that every organization has by the dialer's environment
(ORGANIZATION_SPEND_PER_DAY and so on). Without options it only prints.

${where} limits ...
`,
  options: Object.fromEntries(lines.map(({ option }) => [option, { type: 'string' }])),
  run: async ({ positionals: [organizationId, ...more], values, output, variables }) => {
    if (organizationId === undefined)
      throw new UsageError(
        'Which organization? Give its id, such as npm run ops -- limits <organization id>.',
      );
    if (!organizationIds.test(organizationId) || more.length > 0)
      throw new UsageError(`"${[organizationId, ...more].join(' ')}" is not the id of one organization.`);
    const change = changeOf(values);
    await withDatabase(variables, async (db) => {
      if (Object.keys(change).length > 0) await setLimits(db, organizationId, change, new Date());
      output.write(await show(db, organizationId));
    });
    return true;
  },
};
