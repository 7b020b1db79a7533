// Sources as the service serves them: asked over NATS, read from a real site and object storage, kept in Postgres.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, contract, type RequestOf } from '@parlance/contracts';
import type { RunningService } from '@parlance/observability';
import { eventually } from '@parlance/testing';
import { pdf, pdfPage, pdfWithPassword, zipBomb } from '../testing/documents.js';
import { page, World } from '../testing/world.js';
import type { KnowledgeSource } from './source-record.js';

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

/** The only source of an organization, once it is read. */
const settled = async (who: Caller): Promise<KnowledgeSource> => {
  let found: KnowledgeSource | undefined;
  await eventually(
    async () => {
      [found] = await list(who);
      expect(found).toMatchObject({ status: expect.stringMatching(/ready|failed/) });
    },
    { timeoutMs: 60_000 },
  );
  if (found === undefined) throw new Error('no source');
  return found;
};

const chunksOf = async ({ organizationId }: Caller) => {
  const { rows } = await world.db.query<{ generation: number; text: string }>(
    'select generation, url, headings, text, language from knowledge_chunks where organization_id = $1 order by url, ordinal',
    [organizationId],
  );
  return rows;
};

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
      .set('/deep', '<html>'.concat('<div>'.repeat(100_000)));
    await create(who, [{ type: 'url', url: world.site.url + path }]);
    expect(await settled(who)).toMatchObject({ status: 'failed', error: { code: expected }, chunkCount: 0 });
  });
});

describe('a site', () => {
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

it('a deleted source leaves nothing behind', async () => {
  const who = world.organization();
  world.site.pages.set('/gone', page('Gone', 'This page will be gone as soon as it was read.'));
  await create(who, [{ type: 'url', url: `${world.site.url}/gone` }]);
  const { id } = await settled(who);
  const stranger = world.organization();
  const remove = (by: Caller) => world.ask(contract.knowledgeDelete, { params: { kbId: id } }, by);
  await expect(remove(stranger)).rejects.toEqual(code('KNOWLEDGE_SOURCE_NOT_FOUND'));
  await remove(who);
  await eventually(async () => {
    for (const table of ['sources', 'jobs', 'pages', 'chunks', 'segments', 'leftovers']) {
      const { rows } = await world.db.query(`select 1 from knowledge_${table} where organization_id = $1`, [
        who.organizationId,
      ]);
      expect([table, rows]).toEqual([table, []]);
    }
  });
});

it('an organization with one source does not wait for the fifty of another', async () => {
  const [many, one] = [world.organization(), world.organization()];
  const asked: string[] = [];
  let open: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  const paths = Array.from({ length: 50 }, (_, index) => `/many/${index}`);
  for (const path of [...paths, '/one'])
    world.site.pages.set(path, (_request, response) => {
      asked.push(path);
      void isOpen.then(() => response.end(`Everything that is said on ${path} is said here.`));
    });
  const agentId = randomUUID();
  for (let from = 0; from < paths.length; from += 10) {
    const sources = paths
      .slice(from, from + 10)
      .map((path) => ({ type: 'url' as const, url: world.site.url + path }));
    await create(many, sources, agentId);
  }
  // Every worker holds a source of the first organization when the other one comes.
  await eventually(async () => expect(asked.length).toBeGreaterThanOrEqual(4));
  await create(one, [{ type: 'url', url: `${world.site.url}/one` }]);
  open();
  expect(await settled(one)).toMatchObject({ status: 'ready' });
  // First come, first served would make it the last. Workers take sources of the first organization beside it.
  expect(asked.indexOf('/one')).toBeLessThan(paths.length / 2);
});
