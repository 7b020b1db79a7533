// Campaigns that ended long ago and their calls, as rows of the dialer and of calls-logs. They are copies of a campaign that the
// platform has run, in all columns, so a new column needs no change here. Streams and documents of the copies do not exist:
// nothing reads them during an attempt of another call.
import pg from 'pg';
import { insertRollups } from '../calls/seed.js';

export interface HistoryOptions {
  readonly organizationId: string;
  /** The ended campaign that is copied. */
  readonly campaignId: string;
  readonly copies: number;
}

/** Spread over these days, the newest a day ago. */
const days = 80;
/** The dialer deletes settled reservations after a week. */
const reservationDays = 7;
/** A transaction holds a lock for the counts of each of its campaigns, and Postgres has room for some thousands. */
const perTransaction = 100;

/** The id in the n-th copy. It is derived, so that tables agree without a table of pairs. */
const copyOf = (id: string): string => `md5(n || ' ' || ${id})::uuid`;
const textCopyOf = (id: string): string => `${copyOf(id)}::text`;
const otherNumber = (hash: string): string => `md5(n || ' ' || ${hash})`;
const earlier = (moment: string): string =>
  `${moment} - interval '1 day' - n * ($3::int * interval '1 day' / $4::int)`;

interface Copied {
  readonly table: string;
  /** SQL over the row `t` of the campaign `$1`. */
  readonly where: string;
  /** Columns that differ in the n-th copy, as SQL. */
  readonly columns: Readonly<Record<string, string>>;
}

const callsOfCampaign = `select id::text from outbound_calls where campaign_id = $1::uuid`;

const dialerTables: readonly Copied[] = [
  {
    table: 'campaigns',
    where: 't.id = $1::uuid',
    columns: { id: copyOf('t.id'), created_at: earlier('t.created_at'), updated_at: earlier('t.updated_at') },
  },
  {
    table: 'sealed_campaigns',
    where: 't.campaign_id = $1::uuid',
    columns: { campaign_id: copyOf('t.campaign_id') },
  },
  {
    table: 'campaign_numbers',
    where: 't.campaign_id = $1::uuid',
    columns: { campaign_id: copyOf('t.campaign_id'), noted_at: earlier('t.noted_at') },
  },
  {
    table: 'campaign_recipients',
    where: 't.campaign_id = $1::uuid',
    columns: {
      campaign_id: copyOf('t.campaign_id'),
      outbound_call_id: copyOf('t.outbound_call_id'),
      phone_number: otherNumber('t.phone_number'),
      updated_at: earlier('t.updated_at'),
    },
  },
  {
    table: 'campaign_outcomes',
    where: 't.campaign_id = $1::uuid',
    columns: { campaign_id: copyOf('t.campaign_id'), quarter: earlier('t.quarter') },
  },
  {
    table: 'outbound_calls',
    where: 't.campaign_id = $1::uuid',
    columns: {
      id: copyOf('t.id'),
      campaign_id: copyOf('t.campaign_id'),
      number_hash: otherNumber('t.number_hash'),
      created_at: earlier('t.created_at'),
      updated_at: earlier('t.updated_at'),
      state: `jsonb_set(t.state, '{placed,campaignId}', to_jsonb(${copyOf('t.campaign_id')}))`,
    },
  },
  {
    table: 'outbound_attempts',
    where: `t.outbound_call_id::text in (${callsOfCampaign})`,
    columns: { call_id: textCopyOf('t.call_id'), outbound_call_id: copyOf('t.outbound_call_id') },
  },
  {
    table: 'spend_reservations',
    where: `t.campaign_id = $1::uuid and n * $3::int / $4::int < ${reservationDays - 1}`,
    columns: {
      subject: `'call:' || ${copyOf('t.outbound_call_id')} || ':' || t.attempt`,
      campaign_id: copyOf('t.campaign_id'),
      outbound_call_id: copyOf('t.outbound_call_id'),
      number_hash: otherNumber('t.number_hash'),
      reserved_at: earlier('t.reserved_at'),
      settled_at: earlier('t.settled_at'),
    },
  },
  {
    table: 'pacing',
    where: `t.account = 'campaign:' || $1`,
    columns: { account: `'campaign:' || ${copyOf("substr(t.account, length('campaign:') + 1)")}` },
  },
  {
    table: 'spend_totals',
    where: `t.period = 'campaign' and t.key = $1`,
    columns: { key: textCopyOf('t.key') },
  },
  {
    table: 'personal_keys',
    where: `t.subject in (select 'outboundCall-' || id from (${callsOfCampaign}) calls)`,
    columns: { subject: `'outboundCall-' || ${copyOf("substr(t.subject, length('outboundCall-') + 1)")}` },
  },
];

const callIdsOfCampaign = 'select call_id from call_index where organization_id = $2 and campaign_id = $1';

const searchTermsOfCalls = (table: string, more: Copied['columns']): Copied => ({
  table,
  where: `t.call_id in (${callIdsOfCampaign})`,
  columns: { call_id: textCopyOf('t.call_id'), started_at: earlier('t.started_at'), ...more },
});

const callsLogsTables: readonly Copied[] = [
  {
    table: 'call_index',
    where: 't.organization_id = $2 and t.campaign_id = $1',
    columns: {
      call_id: textCopyOf('t.call_id'),
      campaign_id: textCopyOf('t.campaign_id'),
      outbound_call_id: textCopyOf('t.outbound_call_id'),
      room_name: `'ob_' || ${copyOf('t.room_name')}`,
      started_at: earlier('t.started_at'),
      answered_at: earlier('t.answered_at'),
      ended_at: earlier('t.ended_at'),
    },
  },
  searchTermsOfCalls('call_number_terms', {
    suffixes: `array(select ${otherNumber('suffix')} from unnest(t.suffixes) suffix)`,
  }),
  searchTermsOfCalls('call_name_terms', {}),
  {
    table: 'personal_keys',
    where: `t.subject in (select 'call-' || call_id from (${callIdsOfCampaign}) calls)`,
    columns: { subject: `'call-' || ${copyOf("substr(t.subject, length('call-') + 1)")}` },
  },
];

const insertOf = ({ table, where, columns }: Copied): string => {
  const changed = Object.entries(columns).map(([column, sql]) => `'${column}', ${sql}`);
  // Postgres refuses parameters that a statement does not name, and every statement gets the same.
  return `
with parameters as (select $1::text, $2::text, $3::int, $4::int)
insert into ${table} select copy.* from generate_series($5::int, $6::int) n cross join ${table} t
cross join lateral jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object(${changed.join(', ')})) copy
where ${where}`;
};

const seed = async (
  url: string,
  tables: readonly Copied[],
  { organizationId, campaignId, copies }: HistoryOptions,
  finish: (db: pg.Client) => Promise<void>,
): Promise<void> => {
  const db = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC -c statement_timeout=0' });
  await db.connect();
  try {
    for (let first = 1; first <= copies; first += perTransaction) {
      const last = Math.min(copies, first + perTransaction - 1);
      await db.query('begin');
      for (const table of tables)
        await db.query(insertOf(table), [campaignId, organizationId, days, copies, first, last]);
      await db.query('commit');
    }
    await finish(db);
    // Autovacuum would have done the same while the history came about.
    for (const { table } of tables) await db.query(`vacuum (analyze) ${table}`);
  } finally {
    await db.end();
  }
};

/** @param urlOf the URL for the role of a service */
export const seedHistory = async (
  urlOf: (role: string) => string,
  options: HistoryOptions,
): Promise<void> => {
  await seed(urlOf('outbound_dialer'), dialerTables, options, async () => undefined);
  await seed(urlOf('calls_logs'), callsLogsTables, options, (db) =>
    insertRollups(db, options.organizationId),
  );
};
