// One page as a source: it is read, replaced when it changed, and refused with a reason.

import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import { askedSources } from './asked-sources.js';
import { page, type World } from './world.js';

/** Megabytes without end, as fast as they are taken. */
const endless = () =>
  Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1_048_576, 'Everything is said here. ');
    })(),
  );

export const pageCases = (world: () => World): void => {
  const { create, list, refresh, settled, chunksOf } = askedSources(world);

  describe('a page', () => {
    it('is read, cut, and not written again while it is unchanged', async () => {
      const who = ownerOf();
      world().site.pages.set('/hours', (request, response) => {
        const isKnown = request.headers['if-none-match'] === '"1"';
        response.writeHead(isKnown ? 304 : 200, { etag: '"1"', 'content-type': 'text/html' });
        response.end(
          isKnown
            ? undefined
            : page('Opening hours', 'We open at nine and close at five every day of the week.'),
        );
      });
      const [made] = await create(who, [{ type: 'url', url: `${world().site.url}/hours` }]);
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
      expect(world().site.asked).toContain('/hours 304');
      expect(await chunksOf(who)).toEqual(chunks);
    });

    it('that changed replaces its chunks, and the old ones go', async () => {
      const who = ownerOf();
      world().site.pages.set('/prices', page('Prices', 'A haircut costs twenty euros on any day.'));
      await create(who, [{ type: 'url', url: `${world().site.url}/prices` }]);
      const { id } = await settled(who);
      world().site.pages.set('/prices', page('Prices', 'A haircut costs thirty euros on any day.'));
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
      const who = ownerOf();
      world()
        .site.pages.set('/inside', (_request, response) =>
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
      await create(who, [{ type: 'url', url: world().site.url + path }]);
      expect(await settled(who)).toMatchObject({
        status: 'failed',
        error: { code: expected },
        chunkCount: 0,
      });
    });
  });
};
