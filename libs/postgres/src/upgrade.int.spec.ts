import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { eventually, type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database, type MigrateOptions, migrate } from './index.js';
import { cutConnections } from './testing/cut-connections.js';

let engines: TestEngines;
const open: Database[] = [];
const folders: string[] = [];
let services = 0;

const connect = (url: Secret, applicationName = 'test'): Database => {
  const db = createDatabase({ url, applicationName, max: 2 });
  open.push(db);
  return db;
};
const newSchema = async (): Promise<Secret> => {
  services += 1;
  return (await engines.databaseFor(`upgrade-${services}`)).url;
};

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
});
afterAll(async () => {
  await Promise.all(open.map((db) => db.end()));
  await Promise.all(folders.map((path) => rm(path, { recursive: true, force: true })));
  await engines.stop();
});

const releases = ['0.1.0', '0.2.0', '0.3.0', '0.4.0'];
const files = {
  '0001_lamps.sql': 'create table lamps (id int primary key, name text)',
  '0002_colours.sql': '-- expand, release 0.2.0\nalter table lamps add column colour text',
  '0003_names.sql': '-- contract, release 0.2.0\nalter table lamps drop column name',
  '0004_watts.sql': '-- expand, release 0.3.0\nalter table lamps add column watts int',
  '0005_volts.sql': '-- expand, release 0.4.0\nalter table lamps add column volts int',
} as const;

/** The folder of migrations as a release has it. */
const folderWith = async (content: Readonly<Record<string, string>>): Promise<URL> => {
  const path = await mkdtemp(join(tmpdir(), 'parlance-migrations-'));
  folders.push(path);
  for (const [name, sql] of Object.entries(content)) await writeFile(join(path, name), sql);
  return pathToFileURL(`${path}/`);
};

/** The migration of the n-th release at its start, with the files up to its own. */
const release = async (n: 1 | 2 | 3 | 4): Promise<MigrateOptions> => {
  const content = Object.entries(files).slice(0, [1, 3, 4, 5][n - 1]);
  return { directory: await folderWith(Object.fromEntries(content)), releases: releases.slice(0, n) };
};

describe('releases one beside the other', () => {
  let url: Secret;
  beforeEach(async () => {
    url = await newSchema();
  });

  it('work on the schema that the next one has expanded, and contract only after the next one again has begun', async () => {
    const [first, second, third] = [connect(url), connect(url), connect(url)];
    await migrate(first, await release(1));
    await expect(migrate(second, await release(2))).resolves.toEqual(['0002_colours.sql']);
    await expect(migrate(connect(url), await release(1))).resolves.toEqual([]);
    await first.query(`insert into lamps (id, name) values (1, 'a row of the release before')`);
    await expect(migrate(third, await release(3))).rejects.toThrow(
      'migration 0003_names.sql takes away what release 0.1.0 uses, and a process of that release runs: end it first',
    );
    await Promise.all(open.splice(open.indexOf(first)).map((db) => db.end()));
    const applied = await migrate(connect(url), await release(3));
    expect(applied).toEqual(['0003_names.sql', '0004_watts.sql']);
  });

  it('contract at once where an operator says that no older process runs, which is checked', async () => {
    const first = connect(url);
    await migrate(first, await release(1));
    const contract = { ...(await release(2)), contract: true };
    await expect(migrate(connect(url), contract)).rejects.toThrow('a process of that release runs');
    await first.end();
    await eventually(async () => {
      await expect(migrate(connect(url), contract)).resolves.toEqual(['0003_names.sql']);
    });
    await expect(migrate(connect(url), await release(1))).rejects.toThrow(
      'release 0.1.0 cannot work on this schema any more, because release 0.2.0 has applied its migration 0003_names.sql',
    );
  });

  it('refuse a schema that is two releases ahead', async () => {
    await migrate(connect(url), await release(2));
    const [third, fourth] = [await release(3), await release(4)];
    await Promise.all(open.splice(0).map((db) => db.end()));
    await migrate(connect(url), fourth);
    await expect(migrate(connect(url), third)).resolves.toEqual([]);
    await expect(migrate(connect(url), await release(2))).rejects.toThrow(
      'because release 0.4.0 has applied its migration 0005_volts.sql (expand): start release 0.4.0',
    );
  });

  it('take over the notes of releases from before the marks', async () => {
    const db = connect(url);
    const { directory } = await release(1);
    await migrate(db, { directory });
    await db.query(
      `alter table schema_migrations drop column phase, drop column release, drop column release_number`,
    );
    await db.query('drop table schema_migrations_begun');
    await expect(migrate(db, await release(2))).resolves.toEqual(['0002_colours.sql']);
  });
});

describe('a process that is killed while it migrates', () => {
  const content = {
    '0001_lamps.sql': 'create table lamps (id int primary key, name text); insert into lamps values (1)',
    '0002_index.sql': '-- expand, release 0.1.0\ncreate index concurrently lamps_by_name on lamps (name)',
    '0003_more.sql':
      '-- expand, release 0.1.0\nalter table lamps add column colour text; insert into lamps values (2)',
  };

  it('leaves at each message to Postgres what the next run finishes', async () => {
    const directory = await folderWith(content);
    const url = await newSchema();
    const way = await cutConnections({
      host: new URL(url.reveal()).hostname,
      port: Number(new URL(url.reveal()).port),
    });
    const through = new URL(url.reveal());
    through.hostname = '127.0.0.1';
    through.port = String(way.port);
    const next = connect(url);
    for (let message = 1, isWhole = false; !isWhole; message += 1) {
      const killed = createDatabase({ url: new Secret(through.href), applicationName: 'killed', max: 2 });
      way.cutAt(message);
      const outcome = await migrate(killed, { directory }).catch((error: unknown) => error);
      isWhole = way.messages < message;
      expect(outcome instanceof Error).toBe(!isWhole);
      await killed.end();
      await migrate(next, { directory });
      await expect(
        next.query(
          `select (select array_agg(id order by id) from lamps) as rows,
             (select count(*)::int from schema_migrations) as applied,
             (select count(*)::int from schema_migrations_begun) as begun,
             (select indisvalid from pg_index where indexrelid = 'lamps_by_name'::regclass) as valid`,
        ),
      ).resolves.toMatchObject({ rows: [{ rows: [1, 2], applied: 3, begun: 0, valid: true }] });
      await next.query('drop table lamps, schema_migrations, schema_migrations_begun');
      if (isWhole) expect(message).toBeGreaterThan(30);
    }
    await way.close();
  });
});

describe('an index that is built beside writers', () => {
  const build = {
    '0001_lamps.sql': 'create table lamps (id int, name text)',
    '0002_index.sql':
      '-- expand, release 0.1.0\ncreate unique index concurrently lamps_by_name on lamps (name)',
  };

  it('is named when it cannot be built, and built by the next run once the cause is mended', async () => {
    const url = await newSchema();
    const db = connect(url);
    await migrate(db, { directory: await folderWith({ '0001_lamps.sql': build['0001_lamps.sql'] }) });
    await db.query(`insert into lamps values (1, 'a'), (2, 'a')`);
    const directory = await folderWith(build);
    const left = 'select indisvalid as valid from pg_index where indexrelid = $1::regclass';
    for (let run = 0; run < 2; run += 1) {
      await expect(migrate(db, { directory })).rejects.toThrow(
        /migration 0002_index\.sql could not build the index lamps_by_name \(.*\)\. .*drop index concurrently/,
      );
      await expect(db.query(left, ['lamps_by_name'])).resolves.toMatchObject({ rows: [{ valid: false }] });
    }
    await db.query('delete from lamps where id = 2');
    await expect(migrate(db, { directory })).resolves.toEqual(['0002_index.sql']);
    await expect(db.query(left, ['lamps_by_name'])).resolves.toMatchObject({ rows: [{ valid: true }] });
  });

  it('keeps a second process waiting, which names the first when that takes too long', async () => {
    const url = await newSchema();
    const [writer, builder, second] = [connect(url), connect(url, 'the builder'), connect(url)];
    await migrate(writer, { directory: await folderWith({ '0001_lamps.sql': build['0001_lamps.sql'] }) });
    const directory = await folderWith(build);
    let building: Promise<string[]> | undefined;
    await writer.transaction(async (tx) => {
      await tx.query(`insert into lamps values (1, 'a')`);
      building = migrate(builder, { directory });
      await eventually(async () => {
        const { rows } =
          await second.query(`select 1 from pg_stat_activity where query like 'create unique index%'
          or query like '%create unique index concurrently lamps%' and application_name = 'the builder'`);
        expect(rows).toHaveLength(1);
      });
      await expect(migrate(second, { directory, patienceMs: 0 })).rejects.toThrow(
        /another process migrates the schema upgrade_\w+: "the builder"\. .*pg_terminate_backend\(\d+\)/,
      );
    });
    await expect(building).resolves.toEqual(['0002_index.sql']);
    await expect(migrate(second, { directory })).resolves.toEqual([]);
  });
});

it('a migration gives up on a table that is in use before requests queue behind it, and says what is in the way', async () => {
  const url = await newSchema();
  const [reader, db] = [connect(url), connect(url)];
  const first = { '0001_lamps.sql': 'create table lamps (id int)' };
  await migrate(db, { directory: await folderWith(first) });
  const directory = await folderWith({
    ...first,
    '0002_more.sql': '-- expand, release 0.1.0\nalter table lamps add column colour text',
  });
  await reader.transaction(async (tx) => {
    await tx.query('select * from lamps');
    await expect(migrate(db, { directory, tableWaitMs: 20 })).rejects.toThrow(
      'migration 0002_more.sql needs a table that a long transaction uses: end that one',
    );
  });
  await expect(migrate(db, { directory })).resolves.toEqual(['0002_more.sql']);
});
