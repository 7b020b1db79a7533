// Sitemaps and whole sites as a source.

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { ownerOf } from '@parlance/fixtures/service';
import { askedSources, type Sources } from './asked-sources.js';
import { page, type World } from './world.js';

export const siteCases = (world: () => World): void => {
  const { create, settled, pagesOf, chunksOf } = askedSources(world);

  describe('a sitemap', () => {
    const list = (kind: 'urlset' | 'sitemapindex', paths: readonly string[]) => {
      const entry = kind === 'urlset' ? 'url' : 'sitemap';
      const entries = paths.map(
        (path) => `<${entry}><loc>${new URL(path, world().site.url)}</loc></${entry}>`,
      );
      return `<?xml version="1.0"?><${kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</${kind}>`;
    };
    const sitemap = (path: string, maxPages = 10): Sources => [
      { type: 'url', url: world().site.url + path, crawl: { mode: 'sitemap', maxPages } },
    ];

    it('leads to the pages of its site, through other sitemaps and past the missing ones', async () => {
      const who = ownerOf();
      const names = ['/s/1', '/s/2', '/s/3'];
      for (const name of names)
        world().site.pages.set(name, page(name, `Everything about ${name} is said here, once and for all.`));
      const packed = gzipSync(list('urlset', ['https://elsewhere.example/', '/s/1', '/s/2', '/s/1#top']));
      world()
        .site.pages.set(
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
      const who = ownerOf();
      world()
        .site.pages.set('/page.xml', page('Page', 'This is a page.'))
        .set('/foreign.xml', list('urlset', ['https://elsewhere.example/']))
        .set('/bomb.xml.gz', (_request, response) => response.end(gzipSync(Buffer.alloc(60 * 1_048_576))));
      await create(who, sitemap(path));
      expect(await settled(who)).toMatchObject({ status: 'failed', error: { code: expected } });
    });
  });

  describe('a site', () => {
    it('has its chunks counted over all of its pages, whoever wrote them', async () => {
      const who = ownerOf();
      world()
        .site.pages.set('/first', page('First', 'This page has only one chunk.', ['/second']))
        // Plays an earlier worker that has written a large page.
        .set('/second', (_, response) => {
          void world()
            .db.query(
              `update knowledge_pages set chunk_count = 50000 where organization_id = $1 and state = 'read'`,
              [who.organizationId],
            )
            .then(() => response.end(page('Second', 'This page is one chunk too many.')));
        });
      await create(who, [
        { type: 'url', url: `${world().site.url}/first`, crawl: { mode: 'site', maxPages: 10 } },
      ]);
      expect(await settled(who)).toMatchObject({ status: 'ready' });
      expect(await pagesOf(who)).toEqual([
        ['/first', 'read'],
        ['/second', 'TOO_LARGE'],
      ]);
    });

    it('is read page by page as far as robots.txt allows, each page once', async () => {
      const who = ownerOf();
      const text = (about: string) =>
        `Everything that can be said about ${about} is said here, once and for all.`;
      world()
        .site.pages.set('/robots.txt', 'User-agent: *\nDisallow: /private')
        .set(
          '/start',
          page('Start', text('the start'), ['/a', '/b#x', '/b', '/private', 'https://elsewhere.example/']),
        )
        .set('/a', page('A', text('apples'), ['/start', '/copy']))
        .set('/b', page('B', text('bananas')))
        .set('/copy', page('A', text('apples'), ['/start', '/copy']))
        .set('/private', page('P', text('secrets')));
      await create(who, [
        { type: 'url', url: `${world().site.url}/start`, crawl: { mode: 'site', maxPages: 10 } },
      ]);
      expect(await settled(who)).toMatchObject({ status: 'ready', chunkCount: 3 });
      expect(world().site.asked).not.toContain('/private 200');
      expect((await chunksOf(who)).map(({ text: found }) => /about (\w+ ?\w*) is/.exec(found)?.[1])).toEqual([
        'apples',
        'bananas',
        'the start',
      ]);
      world().site.pages.delete('/robots.txt');
    });
  });
};
