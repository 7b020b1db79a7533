// The doctor's checks that need the tables and collections of this service: `npm run doctor` finds them here.
import { Secret } from '@parlance/config';
import { type Check, checkpointsCheck, defineCheck, type FindingKind } from '@parlance/doctor';
import { createDatabase } from '@parlance/postgres';

const service = 'calls-logs';

const indexFindings = {
  MONGODB_INDEX_MISSING: {
    severity: 'broken',
    says: 'An index of the calls in MongoDB is gone.',
    advice: 'Restart calls-logs, which makes its indexes. Lists and transcripts are slow until then.',
    link: 'docs/operations.md',
  },
} as const satisfies Readonly<Record<string, FindingKind>>;

const callDocuments = defineCheck<keyof typeof indexFindings>({
  name: 'call-documents',
  about: 'The collections of calls in MongoDB have the indexes that their queries need.',
  of: service,
  needs: ['MONGODB_URL'],
  uses: ['MONGODB_DATABASE'],
  findings: indexFindings,
  load: () => Promise.all([import('@parlance/event-sourcing'), import('./projections.js')]),
  look: async ({ variables, found, note }) => {
    const { CurrentCollections } = await import('@parlance/event-sourcing');
    const { connectMongo } = await import('@parlance/postgres/mongo');
    const { callDocuments: readModel } = await import('./projections.js');
    const { withoutIndex } = await import('./read-models/call-documents.js');
    const { MONGODB_URL = '', MONGODB_DATABASE: database = 'parlance' } = variables;
    const mongo = connectMongo({
      ...{ url: new Secret(MONGODB_URL), appName: 'doctor', database, maxPoolSize: 1 },
    });
    try {
      // A server that is away is the subject of another check.
      if (
        !(await mongo.ping().then(
          () => true,
          () => false,
        ))
      )
        return;
      const missing = await withoutIndex(await new CurrentCollections(mongo.db, readModel.id).get());
      for (const { collection, keys } of missing)
        found('MONGODB_INDEX_MISSING', { subject: collection, seen: `No index has the keys ${keys}.` });
      if (missing.length === 0) note('The collections of calls have their indexes.');
    } finally {
      await mongo.close();
    }
  },
});

const webhookFindings = {
  WEBHOOKS_FAILING: {
    severity: 'soon',
    says: 'Webhooks of an organization do not arrive.',
    advice:
      'Tell the organization, whose console shows each try. Where many organizations are concerned, look at the way out of the network.',
    link: 'docs/runbooks/webhooks-fail.md',
  },
  WEBHOOKS_SWITCHED_OFF: {
    severity: 'soon',
    says: 'An address of an organization gets no more webhooks, because it failed for days or said that it is gone.',
    advice:
      'Tell the organization: it mends the receiver and saves the configuration of the agent, which switches the address on again.',
    link: 'docs/runbooks/webhooks-fail.md',
  },
} as const satisfies Readonly<Record<string, FindingKind>>;

/** More organizations than these are counted and not listed. */
const listedAtMost = 10;

interface FailingRow {
  readonly organization: string;
  readonly failing: number;
  readonly off: number;
  readonly seconds: number | null;
}

// Addresses that nothing waits for, and those that were given up long ago, are old news.
const failingEndpoints = `
  select organization_id as organization,
    count(*) filter (where disabled_at is null)::int as failing,
    count(*) filter (where disabled_at is not null)::int as off,
    extract(epoch from now() - min(failing_since) filter (where disabled_at is null))::int as seconds
  from webhook_endpoints
  where (disabled_at is null and failing_since < now() - interval '15 minutes' and next_due_at is not null)
    or disabled_at > now() - interval '7 days'
  group by organization_id order by failing desc, off desc, organization_id`;

const webhooks = defineCheck<keyof typeof webhookFindings>({
  name: 'webhooks',
  about: 'Webhooks arrive: no address of an organization has failed for a quarter of an hour.',
  of: service,
  needs: ['POSTGRES_URL'],
  findings: webhookFindings,
  look: async ({ variables, found, note }) => {
    const url = new Secret(variables.POSTGRES_URL ?? '');
    const db = createDatabase({ url, applicationName: 'doctor', max: 1, connectTimeoutMs: 4_000 });
    try {
      const { rows } = await db.query<FailingRow>(failingEndpoints);
      for (const { organization, failing, off, seconds } of rows.slice(0, listedAtMost)) {
        const subject = `organization ${organization}`;
        const since = `${failing} of its addresses have failed for up to ${seconds} seconds.`;
        if (failing > 0) found('WEBHOOKS_FAILING', { subject, seen: since });
        if (off > 0)
          found('WEBHOOKS_SWITCHED_OFF', { subject, seen: `${off} of its addresses are switched off.` });
      }
      note(`Webhooks of ${rows.length} organizations do not arrive.`);
    } finally {
      await db.end();
    }
  },
});

export const checks: readonly Check[] = [
  callDocuments,
  checkpointsCheck({
    of: service,
    followers: async () => (await import('./followers.js')).followers,
  }),
  webhooks,
];
