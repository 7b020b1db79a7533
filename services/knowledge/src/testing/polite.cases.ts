// Sites are asked as their robots.txt and their turns allow, over redirects as well.

import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import { askedSources } from './asked-sources.js';
import { page, Site, type World } from './world.js';

export const politeCases = (world: () => World): void => {
  const { create, settled, pagesOf } = askedSources(world);

  describe('a page that leads to another site', () => {
    let other: Site;
    beforeAll(async () => {
      other = await Site.start();
      world()
        .site.pages.set('/out/page', (_, response) =>
          response.writeHead(302, { location: `${other.url}/page` }).end(),
        )
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
      const who = ownerOf();
      await create(who, [{ type: 'url', url: `${world().site.url}/out/private` }]);
      expect(await settled(who)).toMatchObject({ status: 'failed', error: { code: 'ROBOTS_REFUSED' } });
      expect(other.asked).toEqual(['/robots.txt 200']);
    });

    it('waits for its turn over there', async () => {
      const who = ownerOf();
      // The host gets busy between its robots.txt and the page, as it does by the jobs of other organizations.
      const setNextTurn = (at: string) =>
        world().db.query(`update knowledge_hosts set next_at = ${at} where host = $1`, [
          new URL(other.url).host,
        ]);
      let isBusy = true;
      other.pages.set('/robots.txt', (_, response) => {
        void setNextTurn(isBusy ? "now() + interval '1 hour'" : 'now()').then(() => response.end());
      });
      await create(who, [{ type: 'url', url: `${world().site.url}/out/page` }]);
      await eventually(async () => {
        const { rows } = await world().db.query(
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
      const who = ownerOf();
      world().site.pages.set('/home', page('Home', 'This page is the home of the site.', ['/out/page']));
      await create(who, [
        { type: 'url', url: `${world().site.url}/home`, crawl: { mode: 'site', maxPages: 10 } },
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
      const who = ownerOf();
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
};
