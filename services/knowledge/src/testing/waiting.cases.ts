// What a source tells while the work on it waits, and when an upgrade of the reader reads it again.

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { contract, eventSubject, events } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import { askedSources } from './asked-sources.js';
import { page, Site, type World } from './world.js';

export const waitingCases = (world: () => World): void => {
  const { create, list, refresh, settled, chunksOf } = askedSources(world);

  describe('a source that waits', () => {
    it('tells its last error, its tries and the next one, and at last fails with a sentence', async () => {
      const who = ownerOf();
      const heard: unknown[] = [];
      const subscription = world().nats.subscribe(eventSubject(events.knowledgeSourceChanged), {
        callback: (_, message) => heard.push(message.json()),
      });
      const before = Date.now();
      const [made] = await create(who, [{ type: 'url', url: 'http://shop.invalid/help' }]);
      expect(made).toMatchObject({ status: 'pending', waiting: null });
      const error = {
        code: 'FETCH_FAILED',
        message: 'The name shop.invalid has no address. Check the address of the source.',
      };
      await eventually(async () => {
        const [source] = await list(who);
        expect(source).toMatchObject({
          status: 'processing',
          error: null,
          waiting: { error, tries: 1, maxTries: 3 },
        });
        expect(Date.parse(source?.waiting?.nextTryAt ?? '')).toBeGreaterThan(before);
      });
      await eventually(() => {
        expect(heard).toContainEqual(
          expect.objectContaining({
            data: { sourceId: made?.id, agentId: made?.agentId, status: 'processing', tries: 1 },
          }),
        );
      });
      subscription.unsubscribe();
      expect(await settled(who)).toMatchObject({
        status: 'failed',
        waiting: null,
        error: { code: error.code, message: `${error.message} It was tried 3 times.` },
      });
    });

    it('tells nothing of the kind once its page answers', async () => {
      const who = ownerOf();
      const site = await Site.start();
      let requests = 0;
      site.pages.set('/late', (_, response) => {
        requests += 1;
        if (requests === 1) response.writeHead(503).end();
        else response.end(page('Late', 'This page answers at the second try.'));
      });
      await create(who, [{ type: 'url', url: `${site.url}/late` }]);
      await eventually(async () => {
        expect((await list(who))[0]?.waiting).toMatchObject({
          error: { message: 'The server answered with status 503.' },
          tries: 1,
          maxTries: 5,
        });
      });
      const [source] = await list(who);
      // Another order to read it begins anew.
      const again = await world().ask(
        contract.knowledgeUpdate,
        { params: { kbId: source?.id ?? '' }, body: { url: `${site.url}/late` } },
        who,
      );
      expect(again.waiting).toBeNull();
      expect(await settled(who)).toMatchObject({ status: 'ready', error: null, waiting: null });
      await site.stop();
    });
  });

  describe('after an upgrade of the reader', () => {
    /** Plays a source that the release before has read. */
    const age = async (organizationId: string) => {
      await world().db.query('update knowledge_pages set reader_version = 1 where organization_id = $1', [
        organizationId,
      ]);
      await world().db.query('update knowledge_chunks set context = null where organization_id = $1', [
        organizationId,
      ]);
      await world().db.query(
        `update knowledge_sources set last_ingested_at = now() - interval '2 days' where organization_id = $1`,
        [organizationId],
      );
    };

    it('files are read again by themselves, and found meanwhile', async () => {
      const who = ownerOf();
      const agentId = randomUUID();
      const fileKey = await world().upload(who, 'a.md', '# Terms\n\nWith tax.\n\n## Delivery\n\nTwo days.\n');
      await create(who, [{ type: 'file', fileKey, fileName: 'a.md' }], agentId);
      await settled(who);
      await age(who.organizationId);
      const search = { body: { agentId, query: 'delivery', limit: 1 } };
      expect(await world().ask(contract.knowledgeSearch, search, who)).toMatchObject([{ context: null }]);
      await eventually(async () => {
        expect(new Set((await chunksOf(who)).map(({ generation }) => generation))).toEqual(new Set([2]));
      });
      expect(await world().ask(contract.knowledgeSearch, search, who)).toMatchObject([
        { context: '# Terms\n\nWith tax.' },
      ]);
    });

    it('pages are read anew at their next refresh, although they have not changed', async () => {
      const who = ownerOf();
      world().site.pages.set('/same', (request, response) => {
        const isKnown = request.headers['if-none-match'] === '"1"';
        response.writeHead(isKnown ? 304 : 200, { etag: '"1"', 'content-type': 'text/html' });
        response.end(isKnown ? undefined : page('Same', 'This page stays the same for ever.'));
      });
      await create(who, [{ type: 'url', url: `${world().site.url}/same` }]);
      const { id } = await settled(who);
      await age(who.organizationId);
      await refresh(who, id);
      await eventually(async () => {
        expect(await chunksOf(who)).toMatchObject([{ generation: 2 }]);
      });
      expect(world().site.asked).not.toContain('/same 304');
    });
  });
};
