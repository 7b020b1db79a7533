// npm run ops -- limits: shows and sets the limits of the operator, for one organization or for the installation.
import { type ServiceCommand, text, UsageError } from '@parlance/ops';
import type { Tx } from '@parlance/postgres';
import { installationUsed } from '../ledger/installation-use.js';
import { knownRates } from '../ledger/rates.js';
import { amountOf } from '../limits/amounts.js';
import {
  type InstallationLimits,
  type OperatorLimits,
  type Written,
  writtenAmount,
  writtenAttempts,
  writtenCount,
  writtenCountries,
  writtenHours,
} from '../limits/limits-env.js';
import {
  knownInstallationLimits,
  knownLimits,
  setInstallationLimits,
  setLimits,
} from '../limits/operator-limits.js';
import { where, withDatabase } from './with-database.js';

type Shown = string | number | null;

interface Line<L> {
  readonly option: string;
  readonly limit: keyof L;
  readonly label: string;
  readonly read: (text: string) => Written<unknown>;
  readonly show: (limits: L, currency: string) => Shown;
}

const money = (micros: number | null, currency: string): Shown =>
  micros === null ? null : `${amountOf(micros)} ${currency}`;

const shared: readonly Line<InstallationLimits>[] = [
  {
    option: 'day',
    limit: 'dayMicros',
    label: 'money a day',
    read: writtenAmount,
    show: ({ dayMicros }, currency) => money(dayMicros, currency),
  },
  {
    option: 'month',
    limit: 'monthMicros',
    label: 'money a month',
    read: writtenAmount,
    show: ({ monthMicros }, currency) => money(monthMicros, currency),
  },
  {
    option: 'numbers',
    limit: 'numbers',
    label: 'numbers owned',
    read: writtenCount,
    show: ({ numbers }) => numbers,
  },
  {
    option: 'concurrent',
    limit: 'concurrentCalls',
    label: 'calls at once',
    read: writtenCount,
    show: ({ concurrentCalls }) => concurrentCalls,
  },
];

const lines: readonly Line<OperatorLimits>[] = [
  ...shared,
  {
    option: 'countries',
    limit: 'countries',
    label: 'countries',
    read: writtenCountries,
    show: ({ countries }) => countries?.join(', ') ?? null,
  },
  {
    option: 'hours',
    limit: 'callingWindow',
    label: 'calling hours',
    read: writtenHours,
    show: ({ callingWindow }) =>
      callingWindow === null ? null : `${callingWindow.start}-${callingWindow.end}`,
  },
  {
    option: 'attempts',
    limit: 'dailyAttempts',
    label: 'attempts a day',
    read: writtenAttempts,
    show: ({ dailyAttempts }) => dailyAttempts,
  },
];

/** In the place of an organization's id. */
const installationWord = 'installation';

const isShared = (name: string): boolean => shared.some(({ option }) => option === name);

/** The form of organization ids in all commands of the platform. */
const organizationIds = /^[A-Za-z0-9_-]{1,64}$/;

/** @throws UsageError for a value that the limit does not take */
const changeOf = <L>(
  of: readonly Line<L>[],
  values: Parameters<typeof text>[0],
): { readonly [K in keyof L]?: L[K] | undefined } => {
  const change: Partial<Record<keyof L, unknown>> = {};
  for (const { option, limit, read } of of) {
    const given = text(values, option);
    if (given === undefined) continue;
    const written = given === 'default' ? { value: undefined } : read(given);
    if ('problem' in written)
      throw new UsageError(`--${option} ${written.problem}, or default, not "${given}".`);
    change[limit] = written.value;
  }
  // Each value was read by the line of its limit.
  return change as { readonly [K in keyof L]?: L[K] | undefined };
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

const table = <L>(
  of: readonly Line<L>[],
  limits: L,
  currency: string,
  sourceOf: (limit: keyof L) => string,
) =>
  of.map(({ label, limit, show: shown }) => {
    const value = String(shown(limits, currency) ?? 'no limit');
    return `  ${label.padEnd(15)}${value.padEnd(20)} ${sourceOf(limit)}`;
  });

const showInstallation = async (tx: Tx, now: Date): Promise<string> => {
  const { inForce, set } = await knownInstallationLimits(tx);
  const { currency } = await knownRates(tx);
  const used = await installationUsed(tx, now);
  const spent = (micros: number): string => `${amountOf(micros)} ${currency}`;
  const source = (limit: keyof InstallationLimits): string =>
    limit in set ? 'set by command' : 'from the environment';
  return [
    'Limits of the installation',
    ...table(shared, inForce, currency, source),
    '',
    `In use: ${spent(used.dayMicros)} on this UTC day, ${spent(used.monthMicros)} in this month, ${used.concurrentCalls} calls in progress, ${used.numbers} numbers.`,
    '',
  ].join('\n');
};

const show = async (tx: Tx, organizationId: string): Promise<string> => {
  const { own, inForce: limits } = await knownLimits(tx, organizationId);
  const { currency } = await knownRates(tx);
  const rows = table(lines, limits, currency, (limit) =>
    limit in (own ?? {}) ? 'set for this organization' : 'as for everybody',
  );
  const doubt = (await isKnown(tx, organizationId))
    ? []
    : ['', 'The dialer has heard of no call, campaign or setting of this organization. Is its id right?'];
  return [`Limits of organization ${organizationId}`, ...rows, ...doubt, ''].join('\n');
};

export const limitsCommand: ServiceCommand = {
  summary: 'show or set what an organization, or the installation, may spend, own and call',
  help: `npm run ops -- limits <organization id> [options]
npm run ops -- limits installation [options]

Sets what one organization may have at the most, or with the word installation what all organizations may have together, and prints all of its limits. What is already in use stays in use; nothing
new is admitted until there is room. The id is in the log lines of the organization's requests (organizationId).

  --day <amount>         money for calls and numbers on one UTC day, in units of the rates' currency
  --month <amount>       the same for one calendar month
  --numbers <n>          numbers owned, with those that are being bought
  --concurrent <n>       outbound calls at the same time
  --countries <codes>    countries that may be called, such as US,DE (of an organization)
  --hours <from-to>      when people may be called, at their place, such as 08:00-21:00 (of an organization)
  --attempts <n>         attempts to reach one number on one day at its place (of an organization)

Each takes none for no limit, and default for the limit of the dialer's environment (ORGANIZATION_SPEND_PER_DAY,
INSTALLATION_SPEND_PER_DAY and so on). Without options it only prints.
What an organization may store is set with quotas.

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
    const now = new Date();
    if (organizationId === installationWord) {
      const unshared = lines.find(({ option }) => text(values, option) !== undefined && !isShared(option));
      if (unshared !== undefined)
        throw new UsageError(`--${unshared.option} is a limit of organizations only.`);
      const change = changeOf(shared, values);
      await withDatabase(variables, async (db) => {
        if (Object.keys(change).length > 0) await setInstallationLimits(db, change, now);
        output.write(await showInstallation(db, now));
      });
      return true;
    }
    const change = changeOf(lines, values);
    await withDatabase(variables, async (db) => {
      if (Object.keys(change).length > 0) await setLimits(db, organizationId, change, now);
      output.write(await show(db, organizationId));
    });
    return true;
  },
};
