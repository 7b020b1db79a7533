// PostgreSQL, as the role of one process reaches it.
import { Secret } from '@parlance/config';
import {
  createDatabase,
  type Database,
  mayCallStatistics,
  readSchemaState,
  shadowSchemaOf,
  statisticsSchema,
} from '@parlance/postgres';
import { causeInWords, codeOf } from '../probe/causes.js';
import { defineCheck, type FindingKind, type Looking } from '../probe/check.js';
import { couldNotLook } from '../probe/refusal.js';
import { seenTooOld, tooOld } from '../probe/supported.js';

const runbook = 'docs/runbooks/dependency-down.md';

const findings = {
  POSTGRES_UNREACHABLE: {
    severity: 'broken',
    says: 'PostgreSQL cannot be reached.',
    advice:
      'Start PostgreSQL, or correct POSTGRES_URL. Look at firewalls between this process and PostgreSQL.',
    link: runbook,
  },
  POSTGRES_REFUSES: {
    severity: 'broken',
    says: 'PostgreSQL refuses the role, its password or its database.',
    advice:
      'Run provision of the image: it makes roles and sets their passwords. Compare POSTGRES_URL with its variables.',
    link: 'docs/operations.md',
  },
  POSTGRES_TOO_OLD: tooOld('PostgreSQL'),
  POSTGRES_READ_ONLY: {
    severity: 'broken',
    says: 'PostgreSQL takes no writes.',
    advice:
      'Let POSTGRES_URL lead to the primary, or promote this standby. A full disk makes a server read-only as well.',
    link: runbook,
  },
  POSTGRES_WITHOUT_SCHEMA: {
    severity: 'broken',
    says: 'The role has no schema of its own, or does not own it.',
    advice: 'Run provision of the image: it makes the schemas and their rights.',
    link: 'docs/operations.md',
  },
  POSTGRES_MIGRATION_MISSING: {
    severity: 'broken',
    says: 'A migration of this release was not applied.',
    advice: 'Restart the service, which applies its migrations. Its log names the migration that fails.',
    link: 'docs/operations.md',
  },
  POSTGRES_MIGRATION_HALF_DONE: {
    severity: 'broken',
    says: 'A migration was begun and has not come to its end.',
    advice: 'Wait while a process migrates. Otherwise restart the service, which finishes the migration.',
    link: 'docs/upgrading.md',
  },
  POSTGRES_MIGRATION_CHANGED: {
    severity: 'broken',
    says: 'A migration was applied in another form than this release has.',
    advice:
      'Run the release that the database was made with, or one after it. The service does not start until then.',
    link: 'docs/operations.md',
  },
  POSTGRES_INDEX_MISSING: {
    severity: 'broken',
    says: 'An index is gone that a migration had made.',
    advice:
      'Make the index again with "create index concurrently", as the migration writes it. Lists are slow until then.',
  },
  POSTGRES_INDEX_INVALID: {
    severity: 'broken',
    says: 'PostgreSQL does not use an index, because it was not made to its end.',
    advice: 'Run "reindex index concurrently" for it.',
  },
  POSTGRES_CONNECTIONS_SCARCE: {
    severity: 'soon',
    says: 'PostgreSQL has few connections left.',
    advice: 'Raise max_connections, lower POSTGRES_POOL_MAX, or put a pooler in between.',
    link: 'docs/runbooks/pool-exhausted.md',
  },
  POSTGRES_TRANSACTION_LONG: {
    severity: 'soon',
    says: 'A transaction has been open for long, so that PostgreSQL cannot clean up.',
    advice: 'Find the program that holds it (pg_stat_activity), and end it with pg_terminate_backend.',
  },
  POSTGRES_WRAPAROUND_NEAR: {
    severity: 'soon',
    says: 'Autovacuum does not keep up with the numbers of transactions.',
    advice:
      'Let autovacuum run, or vacuum the oldest tables. PostgreSQL stops taking writes when the numbers run out.',
  },
  POSTGRES_STANDBY_LOST: {
    severity: 'soon',
    says: 'A standby has stopped following, and PostgreSQL keeps its log for it.',
    advice: 'Start the standby again, or drop its replication slot: the log fills the disk until then.',
  },
  POSTGRES_STANDBY_BEHIND: {
    severity: 'soon',
    says: 'A standby is far behind.',
    advice: 'Look at the disk and the network of the standby. Data that it lacks are lost with the primary.',
  },
  POSTGRES_EVENTS_PARKED: {
    severity: 'broken',
    says: 'Events are set aside because the service could not handle them.',
    advice: 'Mend the causes that the reasons name, and replay the events.',
    link: 'docs/runbooks/events-parked.md',
  },
  POSTGRES_OUTBOX_STUCK: {
    severity: 'broken',
    says: 'Events have been waiting in the outbox for long.',
    advice: 'Look at NATS first, then at the log of the service.',
    link: 'docs/runbooks/outbox-stuck.md',
  },
} as const satisfies Readonly<Record<string, FindingKind>>;
type Code = keyof typeof findings;

const fewLeft = 0.1;
const longTransactionSeconds = 30 * 60;
/** PostgreSQL stops writes near 2,147,000,000, and begins to clean up by force at 200,000,000. */
const oldTransactions = 1_000_000_000;
const farBehindSeconds = 60;
const waitingSeconds = 5 * 60;

/** Authorization, databases that are not there, and rights. */
const refusals = /^(28...|3D000|42501)$/;

const lookAtServer = async (looking: Looking<Code>, db: Database, subject: string): Promise<void> => {
  const askedAt = looking.machine.now();
  const { rows } = await db.query<{ now: Date; version: string; standby: boolean; read_only: string }>(
    `select clock_timestamp() as now, current_setting('server_version') as version,
       pg_is_in_recovery() as standby, current_setting('default_transaction_read_only') as read_only`,
  );
  const [row] = rows;
  if (row === undefined) return;
  looking.clock(`PostgreSQL at ${subject}`, new Date(row.now), askedAt);
  looking.note(`PostgreSQL is ${row.version}.`);
  const old = seenTooOld('PostgreSQL', row.version);
  if (old !== undefined) looking.found('POSTGRES_TOO_OLD', { subject, seen: old });
  if (row.standby) looking.found('POSTGRES_READ_ONLY', { subject, seen: 'The server is a standby.' });
  else if (row.read_only === 'on')
    looking.found('POSTGRES_READ_ONLY', { subject, seen: 'default_transaction_read_only is on.' });
};

const lookAtConnections = async ({ found }: Looking<Code>, db: Database): Promise<void> => {
  const { rows } = await db.query<{ used: number; most: number; database: string }>(
    `select (select coalesce(sum(numbackends), 0)::int from pg_stat_database) as used,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
       current_database() as database`,
  );
  for (const { used, most } of rows)
    if (used > most * (1 - fewLeft))
      found('POSTGRES_CONNECTIONS_SCARCE', {
        subject: 'connections',
        seen: `${used} of ${most} are in use.`,
      });
};

/** Queries for what other roles do. */
interface Statistics {
  readonly longTransactions: string;
  readonly standbysBehind: string;
}

const ofFunctions: Statistics = {
  longTransactions: `select pid, application, seconds from ${statisticsSchema}.long_transactions($1)`,
  standbysBehind: `select name, seconds from ${statisticsSchema}.standbys_behind($1)`,
};

/** They show the rows of others without their times, unless the role may read all statistics. */
const ofViews: Statistics = {
  longTransactions: `select pid, application_name as application,
       extract(epoch from clock_timestamp() - xact_start)::int as seconds
     from pg_stat_activity where xact_start < clock_timestamp() - make_interval(secs => $1)
       and backend_type = 'client backend' and datname = current_database()`,
  standbysBehind: `select application_name as name, extract(epoch from replay_lag)::int as seconds
     from pg_stat_replication where replay_lag > make_interval(secs => $1)`,
};

const lookAtAge = async (
  { found }: Looking<Code>,
  db: Database,
  { longTransactions }: Statistics,
): Promise<void> => {
  const long = await db.query<{ pid: number; application: string; seconds: number }>(longTransactions, [
    longTransactionSeconds,
  ]);
  for (const { pid, application, seconds } of long.rows)
    found('POSTGRES_TRANSACTION_LONG', {
      subject: `${application || 'a program'} (${pid})`,
      seen: `It is open for ${seconds} seconds.`,
    });
  const { rows } = await db.query<{ age: number }>(
    'select age(datfrozenxid) as age from pg_database where datname = current_database()',
  );
  for (const { age } of rows)
    if (age > oldTransactions)
      found('POSTGRES_WRAPAROUND_NEAR', {
        subject: 'the database',
        seen: `${age} transactions are not frozen.`,
      });
};

/** A role that `provision` has not let call the functions may have the wide right, from an operator or an earlier release. */
const statisticsFor = async (looking: Looking<Code>, db: Database): Promise<Statistics> => {
  if (await mayCallStatistics(db)) return ofFunctions;
  const { rows } = await db.query<{ may: boolean }>(
    "select pg_has_role('pg_read_all_stats', 'usage') as may",
  );
  if (rows[0]?.may !== true)
    couldNotLook(
      looking,
      'the lag of standbys and at transactions of other roles',
      `the role may not call the functions of ${statisticsSchema}, which provision of the image makes`,
    );
  return ofViews;
};

const lookAtStandbys = async (
  { found }: Looking<Code>,
  db: Database,
  { standbysBehind }: Statistics,
): Promise<void> => {
  const slots = await db.query<{ name: string }>(
    "select slot_name as name from pg_replication_slots where not active and slot_type = 'physical'",
  );
  for (const { name } of slots.rows)
    found('POSTGRES_STANDBY_LOST', { subject: name, seen: 'No standby uses its replication slot.' });
  const standbys = await db.query<{ name: string; seconds: number }>(standbysBehind, [farBehindSeconds]);
  for (const { name, seconds } of standbys.rows)
    found('POSTGRES_STANDBY_BEHIND', { subject: name, seen: `It is ${seconds} seconds behind.` });
};

/** @returns the schema, where the role has one */
const lookAtRights = async ({ found }: Looking<Code>, db: Database): Promise<string | undefined> => {
  const { rows } = await db.query<{ role: string; schema: string | null; owns: boolean; shadow: boolean }>(
    `select current_user as role, current_schema() as schema,
       coalesce(has_schema_privilege(current_schema(), 'create'), false) as owns,
       to_regnamespace(quote_ident(current_schema() || '_shadow')) is not null as shadow`,
  );
  const [row] = rows;
  const schema = row?.schema ?? undefined;
  const subject = `role ${row?.role}`;
  if (schema === undefined) found('POSTGRES_WITHOUT_SCHEMA', { subject, seen: 'current_schema() is empty.' });
  else if (row?.owns === false)
    found('POSTGRES_WITHOUT_SCHEMA', { subject, seen: `It may not make tables in ${schema}.` });
  else if (row?.shadow === false)
    found('POSTGRES_WITHOUT_SCHEMA', { subject, seen: `The schema ${shadowSchemaOf(schema)} is not there.` });
  return schema;
};

const lookAtSchema = async (
  { found, note, place }: Looking<Code>,
  db: Database,
  schema: string,
): Promise<void> => {
  if (place.migrations === undefined) return;
  const state = await readSchemaState(db, place.migrations);
  const subjectOf = (name: string): string => `${schema}: ${name}`;
  for (const name of state.missing)
    found('POSTGRES_MIGRATION_MISSING', {
      subject: subjectOf(name),
      seen: 'schema_migrations has no row for it.',
    });
  for (const name of state.begun)
    found('POSTGRES_MIGRATION_HALF_DONE', {
      subject: subjectOf(name),
      seen: 'schema_migrations_begun still names it.',
    });
  for (const name of state.changed)
    found('POSTGRES_MIGRATION_CHANGED', { subject: subjectOf(name), seen: 'Its checksum is another one.' });
  for (const { name, table } of state.lostIndexes)
    found('POSTGRES_INDEX_MISSING', {
      subject: subjectOf(name),
      seen: `The table ${table} has no such index.`,
    });
  for (const { name, table } of state.invalidIndexes)
    found('POSTGRES_INDEX_INVALID', {
      subject: subjectOf(name),
      seen: `It is marked invalid on the table ${table}.`,
    });
  note(`The schema ${schema} was compared with its migrations.`);
};

const tables = ['outbox', 'parked_messages', 'projection_dead_letters'] as const;

const lookAtEvents = async ({ found }: Looking<Code>, db: Database, schema: string): Promise<void> => {
  const there = await db.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = $1 and tablename = any($2)',
    [schema, tables],
  );
  if (there.rows.length < tables.length) return;
  const { rows } = await db.query<{ parked: number; age: number | null }>(
    `select ((select count(*) from parked_messages) + (select count(*) from projection_dead_letters))::int as parked,
       (select extract(epoch from clock_timestamp() - min(created_at))::int
        from (select created_at from outbox where sent_at is null order by id limit 1) waiting) as age`,
  );
  for (const { parked, age } of rows) {
    if (parked > 0) found('POSTGRES_EVENTS_PARKED', { subject: schema, seen: `${parked} are set aside.` });
    if (age !== null && age > waitingSeconds)
      found('POSTGRES_OUTBOX_STUCK', {
        subject: schema,
        seen: `The oldest has been waiting for ${age} seconds.`,
      });
  }
};

const lookAtAll = async (looking: Looking<Code>, db: Database, subject: string): Promise<void> => {
  await lookAtServer(looking, db, subject);
  await lookAtConnections(looking, db);
  const statistics = await statisticsFor(looking, db);
  await lookAtAge(looking, db, statistics);
  await lookAtStandbys(looking, db, statistics);
  const schema = await lookAtRights(looking, db);
  if (schema === undefined) return;
  await lookAtEvents(looking, db, schema);
  await lookAtSchema(looking, db, schema);
};

export const postgres = defineCheck<Code>({
  name: 'postgres',
  about:
    'PostgreSQL answers, has the schema of the process with all migrations and indexes, and nothing in it grows without end.',
  needs: ['POSTGRES_URL'],
  findings,
  look: async (looking) => {
    const url = new Secret(looking.variables.POSTGRES_URL ?? '');
    const subject = URL.parse(url.reveal())?.host ?? 'POSTGRES_URL';
    const db = createDatabase({ url, applicationName: 'doctor', max: 1, connectTimeoutMs: 4_000 });
    try {
      await db.ping().then(
        () => lookAtAll(looking, db, subject),
        (error: unknown) => {
          const isRefused = refusals.test(codeOf(error) ?? '');
          looking.found(isRefused ? 'POSTGRES_REFUSES' : 'POSTGRES_UNREACHABLE', {
            subject,
            seen: causeInWords(error),
          });
        },
      );
    } finally {
      // A server that went silent does not answer the goodbye either.
      await Promise.race([
        db.end(),
        new Promise((resolve) => looking.signal.addEventListener('abort', resolve)),
      ]);
    }
  },
});
