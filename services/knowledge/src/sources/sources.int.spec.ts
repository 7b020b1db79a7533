// Sources as the service serves them: asked over NATS, read from a real site and object storage, kept in Postgres.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, contract, events, type RequestOf } from '@parlance/contracts';
import type { RunningService } from '@parlance/observability';
import { eventually, tellRemoval } from '@parlance/testing';
import { pdf, pdfPage, pdfWithPassword, zipBomb } from '../testing/documents.js';
import { page, Site, World } from '../testing/world.js';
import type { KnowledgeSource } from './source-record.js';
import { deleteUnusedDocuments } from './uploads.js';

let world: World;
let service: RunningService;
beforeAll(async () => {
  world = await World.start();
  service = await world.startService();
});
afterAll(async () => {
  await service?.stop();
  await world?.stop();
});

type Body = RequestOf<typeof contract.knowledgeCreate>['body'];
type Sources = NonNullable<Body['sources']>;

const code = (expected: string) => expect.objectContaining({ code: expected });
const create = (who: Caller, sources: Sources, agentId = randomUUID()) =>
  world.ask(contract.knowledgeCreate, { body: { agentId, sources } }, who);
const list = (who: Caller) => world.ask(contract.knowledgeList, { query: {} }, who);
const refresh = (who: Caller, kbId: string) =>
  world.ask(contract.knowledgeRefresh, { params: { kbId } }, who);

/** The tries of a page do not wait for each other here. */
const hurry = ({ organizationId }: Caller) =>
  world.db.query('update knowledge_jobs set next_try_at = now() where organization_id = $1', [
    organizationId,
  ]);

/** The only source of an organization, once it is read. */
const settled = async (who: Caller): Promise<KnowledgeSource> => {
  let found: KnowledgeSource | undefined;
  await eventually(
    async () => {
      await hurry(who);
      [found] = await list(who);
      expect(found).toMatchObject({ status: expect.stringMatching(/ready|failed/) });
    },
    { timeoutMs: 60_000 },
  );
  if (found === undefined) throw new Error('no source');
  return found;
};

/** The pages of the only source of an organization, in the order in which they were found. */
const pagesOf = async ({ organizationId }: Caller) => {
  const { rows } = await world.db.query<{ url: string; state: string; error_code: string | null }>(
    'select url, state, error_code from knowledge_pages where organization_id = $1 order by ordinal',
    [organizationId],
  );
  return rows.map(({ url, state, error_code }) => [new URL(url).pathname, error_code ?? state]);
};

const chunksOf = async ({ organizationId }: Caller) => {
  const { rows } = await world.db.query<{ generation: number; text: string }>(
    'select generation, url, headings, text, language from knowledge_chunks where organization_id = $1 order by url, ordinal',
    [organizationId],
  );
  return rows;
};

/** Megabytes without end, as fast as they are taken. */
const endless = () =>
  Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1_048_576, 'Everything is said here. ');
    })(),
  );

describe('a page', () => {
  it('is read, cut, and not written again while it is unchanged', async () => {
    const who = world.organization();
    world.site.pages.set('/hours', (request, response) => {
      const isKnown = request.headers['if-none-match'] === '"1"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"1"', 'content-type': 'text/html' });
      response.end(
        isKnown
          ? undefined
          : page('Opening hours', 'We open at nine and close at five every day of the week.'),
      );
    });
    const [made] = await create(who, [{ type: 'url', url: `${world.site.url}/hours` }]);
    expect(made).toMatchObject({ status: 'pending', type: 'url', chunkCount: 0 });
    const ready = await settled(who);
    expect(ready).toMatchObject({
      status: 'ready',
      error: null,
      chunkCount: 1,
      mimeType: 'text/html',
      progress: null,
    });
    const chunks = await chunksOf(who);
    expect(chunks).toMatchObject([{ generation: 1, headings: ['Opening hours'], language: 'english' }]);
    await refresh(who, ready.id);
    await eventually(async () => {
      const [again] = await list(who);
      expect(again?.status).toBe('ready');
      expect(again?.lastIngestedAt).not.toBe(ready.lastIngestedAt);
    });
    expect(world.site.asked).toContain('/hours 304');
    expect(await chunksOf(who)).toEqual(chunks);
  });

  it('that changed replaces its chunks, and the old ones go', async () => {
    const who = world.organization();
    world.site.pages.set('/prices', page('Prices', 'A haircut costs twenty euros on any day.'));
    await create(who, [{ type: 'url', url: `${world.site.url}/prices` }]);
    const { id } = await settled(who);
    world.site.pages.set('/prices', page('Prices', 'A haircut costs thirty euros on any day.'));
    await refresh(who, id);
    await eventually(async () => {
      expect(await chunksOf(who)).toEqual([
        expect.objectContaining({ generation: 2, text: expect.stringContaining('thirty') }),
      ]);
    });
  });

  it.each([
    ['is not there', '/missing', 'FETCH_FAILED'],
    ['leads to an address inside', '/inside', 'URL_NOT_ALLOWED'],
    ['is no document', '/image', 'UNSUPPORTED_TYPE'],
    ['is empty', '/empty', 'TOO_SMALL'],
    ['nests too deeply', '/deep', 'PARSE_FAILED'],
    ['leads to itself', '/loop', 'FETCH_FAILED'],
    ['never ends', '/endless', 'TOO_LARGE'],
    ['says that it has five gigabytes, and sends them', '/huge', 'TOO_LARGE'],
    ['becomes sixty megabytes when it is unpacked', '/bomb', 'TOO_LARGE'],
  ])('that %s fails its source with the reason', async (_, path, expected) => {
    const who = world.organization();
    world.site.pages
      .set('/inside', (_request, response) =>
        response.writeHead(302, { location: 'http://127.0.0.2/' }).end(),
      )
      .set('/image', (_request, response) =>
        response.end(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')),
      )
      .set('/empty', (_request, response) => response.end())
      .set('/loop', (_request, response) => response.writeHead(302, { location: '/loop' }).end())
      .set('/endless', (_request, response) => endless().pipe(response))
      .set('/huge', (_request, response) => {
        response.writeHead(200, { 'content-length': 5_000_000_000 });
        endless().pipe(response);
      })
      .set('/bomb', (_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(60 * 1_048_576))),
      )
      .set('/deep', '<html>'.concat('<div>'.repeat(100_000)));
    await create(who, [{ type: 'url', url: world.site.url + path }]);
    expect(await settled(who)).toMatchObject({ status: 'failed', error: { code: expected }, chunkCount: 0 });
  });
});

describe('a page that leads to another site', () => {
  let other: Site;
  beforeAll(async () => {
    other = await Site.start();
    world.site.pages
      .set('/out/page', (_, response) => response.writeHead(302, { location: `${other.url}/page` }).end())
      .set('/out/private', (_, response) =>
        response.writeHead(301, { location: `${other.url}/private` }).end(),
      );
    other.pages
      .set('/page', page('Elsewhere', 'This page has moved to another site.', ['/more']))
      .set('/private', page('Private', 'No robot is to read this page.'));
  });
  afterAll(() => other?.stop());

  it('is read only when the robots.txt over there allows it', async () => {
    other.pages.set('/robots.txt', 'User-agent: *\nDisallow: /private');
    const who = world.organization();
    await create(who, [{ type: 'url', url: `${world.site.url}/out/private` }]);
    expect(await settled(who)).toMatchObject({ status: 'failed', error: { code: 'ROBOTS_REFUSED' } });
    expect(other.asked).toEqual(['/robots.txt 200']);
  });

  it('waits for its turn over there', async () => {
    const who = world.organization();
    // The host gets busy between its robots.txt and the page, as it does by the jobs of other organizations.
    const setNextTurn = (at: string) =>
      world.db.query(`update knowledge_hosts set next_at = ${at} where host = $1`, [new URL(other.url).host]);
    let isBusy = true;
    other.pages.set('/robots.txt', (_, response) => {
      void setNextTurn(isBusy ? "now() + interval '1 hour'" : 'now()').then(() => response.end());
    });
    await create(who, [{ type: 'url', url: `${world.site.url}/out/page` }]);
    await eventually(async () => {
      const { rows } = await world.db.query(
        'select fence from knowledge_jobs where organization_id = $1 and next_try_at > now() and claimed_until is null',
        [who.organizationId],
      );
      expect(rows).toHaveLength(1);
    });
    expect(other.asked).not.toContain('/page 200');
    isBusy = false;
    await setNextTurn('now()');
    expect(await settled(who)).toMatchObject({ status: 'ready', chunkCount: 1 });
    expect(other.asked).toContain('/page 200');
  });

  it('is no page of the site that is read', async () => {
    other.pages.delete('/robots.txt');
    const who = world.organization();
    world.site.pages.set('/home', page('Home', 'This page is the home of the site.', ['/out/page']));
    await create(who, [
      { type: 'url', url: `${world.site.url}/home`, crawl: { mode: 'site', maxPages: 10 } },
    ]);
    expect(await settled(who)).toMatchObject({ status: 'ready', chunkCount: 1 });
    expect(await pagesOf(who)).toEqual([
      ['/home', 'read'],
      ['/out/page', 'FETCH_FAILED'],
    ]);
  });
});

describe('a robots.txt that gives no answer', () => {
  it.each([
    ['for a failing server', (response: ServerResponse) => response.writeHead(503).end()],
    ['for a connection that breaks off', (response: ServerResponse) => response.destroy()],
  ])('%s keeps the page from being asked for, and the source from failing', async (_, refuse) => {
    const site = await Site.start();
    const who = world.organization();
    let refused = 0;
    site.pages.set('/page', page('Page', 'This page waits for its robots.txt.'));
    site.pages.set('/robots.txt', (_request, response) => {
      refused += 1;
      if (refused < 4) refuse(response);
      else response.end('User-agent: *\nAllow: /');
    });
    await create(who, [{ type: 'url', url: `${site.url}/page` }]);
    expect(await settled(who)).toMatchObject({ status: 'ready', chunkCount: 1 });
    expect([refused, site.asked.indexOf('/page 200')]).toEqual([4, site.asked.length - 1]);
    await site.stop();
  });
});

describe('a sitemap', () => {
  const list = (kind: 'urlset' | 'sitemapindex', paths: readonly string[]) => {
    const entry = kind === 'urlset' ? 'url' : 'sitemap';
    const entries = paths.map((path) => `<${entry}><loc>${new URL(path, world.site.url)}</loc></${entry}>`);
    return `<?xml version="1.0"?><${kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</${kind}>`;
  };
  const sitemap = (path: string, maxPages = 10): Sources => [
    { type: 'url', url: world.site.url + path, crawl: { mode: 'sitemap', maxPages } },
  ];

  it('leads to the pages of its site, through other sitemaps and past the missing ones', async () => {
    const who = world.organization();
    const names = ['/s/1', '/s/2', '/s/3'];
    for (const name of names)
      world.site.pages.set(name, page(name, `Everything about ${name} is said here, once and for all.`));
    const packed = gzipSync(list('urlset', ['https://elsewhere.example/', '/s/1', '/s/2', '/s/1#top']));
    world.site.pages
      .set(
        '/sitemap.xml',
        list('sitemapindex', ['/sitemap.xml', '/gone.xml', '/broken.xml', '/a.xml.gz', '/b.xml']),
      )
      .set('/broken.xml', '<urlset><url></urlset>')
      .set('/a.xml.gz', (_, response) => response.end(packed))
      .set('/b.xml', list('urlset', ['/s/3', '/s/4']));
    await create(who, sitemap('/sitemap.xml', 3));
    expect(await settled(who)).toMatchObject({ status: 'ready', chunkCount: 3 });
    expect(await pagesOf(who)).toEqual(names.map((name) => [name, 'read']));
  });

  it.each([
    ['is not there', '/none.xml', 'FETCH_FAILED'],
    ['is a page', '/page.xml', 'PARSE_FAILED'],
    ['names pages of another site only', '/foreign.xml', 'TOO_SMALL'],
    ['becomes too large when it is unpacked', '/bomb.xml.gz', 'TOO_LARGE'],
  ])('that %s fails its source with the reason', async (_, path, expected) => {
    const who = world.organization();
    world.site.pages
      .set('/page.xml', page('Page', 'This is a page.'))
      .set('/foreign.xml', list('urlset', ['https://elsewhere.example/']))
      .set('/bomb.xml.gz', (_request, response) => response.end(gzipSync(Buffer.alloc(60 * 1_048_576))));
    await create(who, sitemap(path));
    expect(await settled(who)).toMatchObject({ status: 'failed', error: { code: expected } });
  });
});

describe('a site', () => {
  it('has its chunks counted over all of its pages, whoever wrote them', async () => {
    const who = world.organization();
    world.site.pages
      .set('/first', page('First', 'This page has only one chunk.', ['/second']))
      // As if a worker before had written a large page.
      .set('/second', (_, response) => {
        void world.db
          .query(
            `update knowledge_pages set chunk_count = 50000 where organization_id = $1 and state = 'read'`,
            [who.organizationId],
          )
          .then(() => response.end(page('Second', 'This page is one chunk too many.')));
      });
    await create(who, [
      { type: 'url', url: `${world.site.url}/first`, crawl: { mode: 'site', maxPages: 10 } },
    ]);
    expect(await settled(who)).toMatchObject({ status: 'ready' });
    expect(await pagesOf(who)).toEqual([
      ['/first', 'read'],
      ['/second', 'TOO_LARGE'],
    ]);
  });

  it('is read page by page as far as robots.txt allows, each page once', async () => {
    const who = world.organization();
    const text = (about: string) =>
      `Everything that can be said about ${about} is said here, once and for all.`;
    world.site.pages
      .set('/robots.txt', 'User-agent: *\nDisallow: /private')
      .set(
        '/start',
        page('Start', text('the start'), ['/a', '/b#x', '/b', '/private', 'https://elsewhere.example/']),
      )
      .set('/a', page('A', text('apples'), ['/start', '/copy']))
      .set('/b', page('B', text('bananas')))
      .set('/copy', page('A', text('apples'), ['/start', '/copy']))
      .set('/private', page('P', text('secrets')));
    await create(who, [
      { type: 'url', url: `${world.site.url}/start`, crawl: { mode: 'site', maxPages: 10 } },
    ]);
    expect(await settled(who)).toMatchObject({ status: 'ready', chunkCount: 3 });
    expect(world.site.asked).not.toContain('/private 200');
    expect((await chunksOf(who)).map(({ text: found }) => /about (\w+ ?\w*) is/.exec(found)?.[1])).toEqual([
      'apples',
      'bananas',
      'the start',
    ]);
    world.site.pages.delete('/robots.txt');
  });
});

describe('a file', () => {
  it('is read by its content, and not by the type that its name says', async () => {
    const who = world.organization();
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
      const who = world.organization();
      const fileKey = await world.upload(who, fileName, make());
      await create(who, [{ type: 'file', fileKey, fileName }]);
      expect(await settled(who)).toMatchObject({
        status: 'failed',
        error: { code: expected },
        chunkCount: 0,
      });
      const next = world.organization();
      const sound = pdf({ pages: [pdfPage('Prices', ['A haircut costs twenty euros.'])] });
      await create(next, [
        { type: 'file', fileKey: await world.upload(next, 'a.pdf', sound), fileName: 'a.pdf' },
      ]);
      expect(await settled(next)).toMatchObject({ status: 'ready', mimeType: 'application/pdf' });
      expect(await chunksOf(next)).toMatchObject([{ headings: ['Prices'] }]);
    },
  );

  it('of another organization is no file, and nothing of the request is made', async () => {
    const who = world.organization();
    const fileKey = await world.upload(world.organization(), 'a.txt', 'This is somebody else’s text.');
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

describe('nothing is left behind', () => {
  const agentId = randomUUID();
  /** An organization with a page and a file. */
  const filled = async () => {
    const who = world.organization();
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
        ],
        'knowledge_turns',
      ]);
    });
    return { who, fileKey, ids: made.map(({ id }) => id) };
  };

  it('of a deleted source, which no stranger can delete', async () => {
    const { who, ids } = await filled();
    const remove = (by: Caller, kbId: string) =>
      world.ask(contract.knowledgeDelete, { params: { kbId } }, by);
    for (const id of ids) {
      await expect(remove(world.organization(), id)).rejects.toEqual(code('KNOWLEDGE_SOURCE_NOT_FOUND'));
      await remove(who, id);
    }
    await eventually(async () => {
      expect(await tablesWith(who)).toEqual(['knowledge_agents', 'knowledge_turns']);
    });
  });

  it('of a deleted agent but the note that it is deleted, and its files go a day later', async () => {
    const { who, fileKey } = await filled();
    const kept = await filled();
    await world.tell(events.agentDeleted, who, { agentId, name: 'A' });
    await eventually(async () => {
      expect(await tablesWith(who)).toEqual(['knowledge_agents', 'knowledge_turns']);
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
  const [many, one] = [world.organization(), world.organization()];
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
  // First come, first served would make it the last. Each of the four workers has one source in hand, and takes the
  // next one of the first organization at most once or twice beside it.
  expect(asked.indexOf('/one')).toBeLessThan(20);
});
