// The doctor's checks that need the tables of this service.
import { Secret } from '@parlance/config';
import { type Check, checkpointsCheck, defineCheck, type FindingKind } from '@parlance/doctor';
import { createDatabase } from '@parlance/postgres';
import type { InstallationLimitName } from '../ledger/installation-refusals.js';

const service = 'outbound-dialer';
const link = 'docs/runbooks/installation-limits.md';

const limitFindings = {
  INSTALLATION_LIMIT_REACHED: {
    severity: 'broken',
    says: 'A limit of the installation is used up, so calls or purchases of every organization are refused.',
    advice:
      'Look at which organizations use most. "npm run ops -- limits" stops one of them, or raises the limit of the installation.',
    link,
  },
  INSTALLATION_LIMIT_NEAR: {
    severity: 'soon',
    says: 'At least 80 % of a limit of the installation is used.',
    advice:
      'Look at which organizations use most. Raise the limit with "npm run ops -- limits installation" if that is wanted.',
    link,
  },
  INSTALLATION_UNLIMITED: {
    severity: 'soon',
    says: 'Nothing limits what all organizations together may spend.',
    advice:
      'Set INSTALLATION_SPEND_PER_DAY or INSTALLATION_SPEND_PER_MONTH to what you can lose in a day or a month, or use "npm run ops -- limits installation".',
    link,
  },
} as const satisfies Readonly<Record<string, FindingKind>>;

const near = 0.8;

const subjects = {
  dayMicros: 'the money of today (UTC)',
  monthMicros: 'the money of this month (UTC)',
  concurrentCalls: 'the calls in progress',
  numbers: 'the bought numbers',
} as const satisfies Readonly<Record<InstallationLimitName, string>>;

const names = Object.keys(subjects) as InstallationLimitName[];

const installationLimits = defineCheck<keyof typeof limitFindings>({
  name: 'installation-limits',
  about: 'The limits of the installation are set, and there is room within them.',
  of: service,
  needs: ['POSTGRES_URL'],
  uses: ['NODE_ENV'],
  findings: limitFindings,
  look: async ({ variables, machine, found, note }) => {
    const { knownInstallationLimits } = await import('../limits/operator-limits.js');
    const { installationUsed } = await import('../ledger/installation-use.js');
    const url = new Secret(variables.POSTGRES_URL ?? '');
    const db = createDatabase({ url, applicationName: 'doctor', max: 1, connectTimeoutMs: 4_000 });
    try {
      const { inForce: limits } = await knownInstallationLimits(db);
      const used = await installationUsed(db, new Date(machine.now()));
      if (
        (variables.NODE_ENV ?? 'production') === 'production' &&
        limits.dayMicros === null &&
        limits.monthMicros === null
      )
        found('INSTALLATION_UNLIMITED', {
          subject: 'the installation',
          seen: 'No limit of its money is set, neither for a day nor for a month.',
        });
      for (const name of names) {
        const limit = limits[name];
        if (limit === null || limit === 0) continue;
        const share = used[name] / limit;
        const seen = `${Math.floor(share * 100)} % of it is used, with reservations.`;
        if (share >= 1) found('INSTALLATION_LIMIT_REACHED', { subject: subjects[name], seen });
        else if (share >= near) found('INSTALLATION_LIMIT_NEAR', { subject: subjects[name], seen });
        else note(`Of ${subjects[name]}, ${Math.floor(share * 100)} % is used.`);
      }
    } finally {
      await db.end();
    }
  },
});

export const checks: readonly Check[] = [
  checkpointsCheck({
    of: service,
    followers: async () => (await import('../integration/followers.js')).followers,
  }),
  installationLimits,
];
