// Sources as the service serves them: asked over NATS, read from a real site and object storage, kept in Postgres.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, contract, events } from '@parlance/contracts';
import { eventually, tellRemoval } from '@parlance/fixtures';
import { pdf, pdfPage, pdfWithPassword, zipBomb } from '@parlance/fixtures/documents';
import { ownerOf } from '@parlance/fixtures/service';
import type { RunningService } from '@parlance/observability';
import { askedSources, code, type Sources } from '../testing/asked-sources.js';
import { foundCases } from '../testing/found.cases.js';
import { pageCases } from '../testing/page.cases.js';
import { politeCases } from '../testing/polite.cases.js';
import { siteCases } from '../testing/site.cases.js';
import { waitingCases } from '../testing/waiting.cases.js';
import { page, World } from '../testing/world.js';
import { deleteUnusedDocuments } from './uploads.js';

let world: World;
let service: RunningService;
const { create, list, hurry, settled, chunksOf } = askedSources(() => world);
beforeAll(async () => {
  world = await World.start();
  service = await world.startService();
});
afterAll(async () => {
  await service?.stop();
  await world?.stop();
});

pageCases(() => world);
politeCases(() => world);
siteCases(() => world);
foundCases(() => world);
waitingCases(() => world);

describe('a file', () => {
  it('is read by its content, and not by the type that its name says', async () => {
    const who = ownerOf();
    const fileKey = await world.upload(
      who,
      '../../etc/prices.pdf',
      '# Prices\n\nA haircut costs twenty euros.\n',
    );
    expect(fileKey).not.toContain('..');
    await create(who, [{ type: 'file', fileKey, fileName: '../../etc/prices.pdf' }]);
    expect(await settled(who)).toMatchObject({
      status: 'ready',
      fileName: 'prices.pdf',
      mimeType: 'text/markdown',
    });
  });

  it.each([
    ['prices.pdf', () => pdfWithPassword(), 'PARSE_FAILED'],
    ['prices.docx', () => zipBomb(), 'TOO_LARGE'],
  ])(
    '%s that cannot be read fails its source, and the next one is read',
    async (fileName, make, expected) => {
      const who = ownerOf();
      const fileKey = await world.upload(who, fileName, make());
      await create(who, [{ type: 'file', fileKey, fileName }]);
      expect(await settled(who)).toMatchObject({
        status: 'failed',
        error: { code: expected },
        chunkCount: 0,
      });
      const next = ownerOf();
      const sound = pdf({ pages: [pdfPage('Prices', ['A haircut costs twenty euros.'])] });
      await create(next, [
        { type: 'file', fileKey: await world.upload(next, 'a.pdf', sound), fileName: 'a.pdf' },
      ]);
      expect(await settled(next)).toMatchObject({ status: 'ready', mimeType: 'application/pdf' });
      expect(await chunksOf(next)).toMatchObject([{ headings: ['Prices'] }]);
    },
  );

  it('that takes the place of another brings its own name, type and passages', async () => {
    const who = ownerOf();
    const first = await world.upload(who, 'prices.md', '# Prices\n\nA haircut costs twenty euros.\n');
    const [made] = await create(who, [{ type: 'file', fileKey: first, fileName: 'prices.md' }]);
    await settled(who);
    const fileKey = await world.upload(who, 'fees.csv', 'what,price\nhaircut,thirty euros\n');
    const request = { params: { kbId: made?.id ?? '' }, body: { fileKey } };
    await world.ask(contract.knowledgeUpdate, request, who);
    expect(await settled(who)).toMatchObject({
      ...{ status: 'ready', name: 'prices.md', fileName: 'fees.csv', mimeType: 'text/csv' },
    });
    // The passages of before go a moment later.
    await eventually(async () => {
      const texts = (await chunksOf(who)).map(({ text }) => text).join();
      expect([texts.includes('thirty euros'), texts.includes('twenty euros')]).toEqual([true, false]);
    });
  });

  it('of another organization is no file, and nothing of the request is made', async () => {
    const who = ownerOf();
    const fileKey = await world.upload(ownerOf(), 'a.txt', 'This is somebody else’s text.');
    const sources: Sources = [
      { type: 'url', url: `${world.site.url}/hours` },
      { type: 'file', fileKey, fileName: 'a.txt' },
    ];
    await expect(create(who, sources)).rejects.toEqual(code('UPLOAD_NOT_FOUND'));
    await expect(create(who, [{ type: 'url', url: 'http://169.254.169.254/' }])).rejects.toEqual(
      code('URL_NOT_ALLOWED'),
    );
    expect(await list(who)).toEqual([]);
  });
});

/** The tables with rows of an organization. */
const tablesWith = async ({ organizationId }: Caller): Promise<string[]> => {
  const { rows } = await world.db.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where column_name = 'organization_id' and table_schema = current_schema() order by 1`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await world.db.query(`select 1 from ${name} where organization_id = $1 limit 1`, [
      organizationId,
    ]);
    if (rowCount > 0) found.push(name);
  }
  return found;
};

/** The counts of an organization, and its file until the round that deletes unused ones. */
const restOfSources = [
  'knowledge_agents',
  'knowledge_totals',
  'knowledge_turns',
  'storage_usage',
  'stored_files',
];

describe('nothing is left behind', () => {
  const agentId = randomUUID();
  /** An organization with a page and a file. */
  const filled = async () => {
    const who = ownerOf();
    world.site.pages.set('/gone', page('Gone', 'This page will be gone as soon as it was read.'));
    const fileKey = await world.upload(who, 'a.txt', 'This file will be gone as soon as it was read.');
    const sources = [
      { type: 'url', url: `${world.site.url}/gone`, refreshIntervalHours: 24 },
      { type: 'file', fileKey, fileName: 'a.txt' },
    ] as const;
    const made = await create(who, [...sources], agentId);
    await eventually(async () => {
      await hurry(who);
      expect(await list(who)).toMatchObject([{ status: 'ready' }, { status: 'ready' }]);
      expect(await tablesWith(who)).toEqual([
        ...[
          'knowledge_agents',
          'knowledge_chunks',
          'knowledge_pages',
          'knowledge_segments',
          'knowledge_sources',
          'knowledge_totals',
        ],
        ...['knowledge_turns', 'storage_usage', 'stored_files'],
      ]);
    });
    return { who, fileKey, ids: made.map(({ id }) => id) };
  };

  it('of a deleted source, which no stranger can delete', async () => {
    const { who, ids } = await filled();
    const remove = (by: Caller, kbId: string) =>
      world.ask(contract.knowledgeDelete, { params: { kbId } }, by);
    for (const id of ids) {
      await expect(remove(ownerOf(), id)).rejects.toEqual(code('KNOWLEDGE_SOURCE_NOT_FOUND'));
      await remove(who, id);
    }
    await eventually(async () => {
      expect(await tablesWith(who)).toEqual(restOfSources);
    });
  });

  it('of a deleted agent but the note that it is deleted, and its files go a day later', async () => {
    const { who, fileKey } = await filled();
    const kept = await filled();
    await world.announce(events.agentDeleted, who.organizationId, { agentId, name: 'A' });
    await eventually(async () => {
      expect(await tablesWith(who)).toEqual(restOfSources);
    });
    await expect(create(who, [{ type: 'url', url: `${world.site.url}/gone` }], agentId)).rejects.toEqual(
      code('AGENT_NOT_FOUND'),
    );
    const { storage, db } = world;
    expect(await deleteUnusedDocuments({ db, storage, clock: { now: () => new Date() } })).toBe(0);
    const clock = { now: () => new Date(Date.now() + 26 * 60 * 60_000) };
    expect(await deleteUnusedDocuments({ db, storage, clock })).toBeGreaterThan(0);
    expect(await storage.head(fileKey)).toBeUndefined();
    expect(await storage.head(kept.fileKey)).toMatchObject({ key: kept.fileKey });
  });

  it('of a removed organization, its files included', async () => {
    const { who, fileKey } = await filled();
    await tellRemoval(world.nats, who.organizationId);
    await eventually(async () => {
      expect(await tablesWith(who)).toEqual(['organization_closures']);
      expect(await world.storage.head(fileKey)).toBeUndefined();
    });
  });
});

it('an organization with one source does not wait for the two hundred of another', async () => {
  const [many, one] = [ownerOf(), ownerOf()];
  const asked: string[] = [];
  let open: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  const paths = Array.from({ length: 200 }, (_, index) => `/many/${index}`);
  for (const path of [...paths, '/one'])
    world.site.pages.set(path, (_request, response) => {
      asked.push(path);
      void isOpen.then(() => response.end(`Everything that is said on ${path} is said here.`));
    });
  await create(many, [{ type: 'url', url: `${world.site.url}/many/0` }]);
  for (const [table, change] of [
    ['knowledge_sources', `'id', place.id, 'url', $2 || place.number`],
    ['knowledge_jobs', `'source_id', place.id, 'claimed_until', null, 'generation', null`],
  ])
    await world.db.query(
      `insert into ${table} select (jsonb_populate_record(first, jsonb_build_object(${change}))).*
       from ${table} first, (select number, md5($1 || number)::uuid as id from generate_series(1, 199) number) place
       where organization_id = $1`,
      table === 'knowledge_sources'
        ? [many.organizationId, `${world.site.url}/many/`]
        : [many.organizationId],
    );
  // Every worker holds a source of the first organization when the other one comes.
  await eventually(async () => expect(asked.length).toBeGreaterThanOrEqual(4));
  await create(one, [{ type: 'url', url: `${world.site.url}/one` }]);
  open();
  expect(await settled(one)).toMatchObject({ status: 'ready' });
  // First come, first served would make it the last. Each of the four workers has one source in hand. Beside it, a
  // worker takes the next one of the first organization at most once or twice.
  expect(asked.indexOf('/one')).toBeLessThan(20);
});
