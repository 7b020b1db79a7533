// The service killed at the steps of reading a site: one generation is served, and nothing else is left.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import { stormSize } from '@parlance/fixtures/storm-size';
import { page, World } from '../testing/world.js';
import { type CrashPoint, crashPointNames } from './crash-points.js';

/** The full storm: `PARLANCE_TEST_KILLS=20`. */
const isFull = stormSize('PARLANCE_TEST_KILLS', 1) > 1;
const points: readonly CrashPoint[] = isFull
  ? crashPointNames
  : ['ingest.afterList', 'ingest.afterPage', 'ingest.afterIndex', 'ingest.afterSwap'];
const deathsAtEach = isFull ? 2 : 1;

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.stop());

const text = (about: string) => `Everything that can be said about ${about} is said here, once and for all.`;

/** No worker waits for the lease of a dead one here. */
const freeJobs = () => world.db.query('update knowledge_jobs set claimed_until = null');

it(
  'deaths at every step leave one generation, no orphan and no lost source',
  async () => {
    const who = ownerOf();
    world.site.pages
      .set('/start', page('Start', text('the start'), ['/a', '/b']))
      .set('/a', page('A', text('apples')))
      .set('/b', page('B', text('bananas')));
    const first = await world.startService();
    const crawl = { mode: 'site', maxPages: 10 } as const;
    const sources = [{ type: 'url', url: `${world.site.url}/start`, crawl }] as const;
    const body = { agentId: randomUUID(), sources: [...sources] };
    const [source] = await world.ask(contract.knowledgeCreate, { body }, who);
    const list = () => world.ask(contract.knowledgeList, { query: {} }, who);
    await eventually(async () => expect(await list()).toMatchObject([{ status: 'ready', chunkCount: 3 }]), {
      timeoutMs: 60_000,
    });
    await first.stop();
    let version = 0;
    for (const point of points)
      for (let time = 0; time < deathsAtEach; time += 1) {
        version += 1;
        // One page is new each time, so that a generation is built of it and of the unchanged ones.
        world.site.pages.set('/b', page('B', text(`bananas of version ${version}`)));
        await world.db.query(
          `insert into knowledge_jobs (organization_id, source_id, is_fresh, next_try_at, created_at)
         values ($1, $2, false, now(), now())
         on conflict (organization_id, source_id) do update set wanted = knowledge_jobs.wanted + $3, next_try_at = now()`,
          // The second death is of the worker that goes on; a list that was made is not made again.
          [who.organizationId, source?.id, time === 0 || point === 'ingest.afterList' ? 1 : 0],
        );
        await freeJobs();
        expect([point, await world.dieAt(point)]).toEqual([point, 'SIGKILL']);
      }
    await freeJobs();
    const survivor = await world.startService();
    try {
      await eventually(
        async () => {
          const { rows } = await world.db.query(
            `select (select count(*)::int from knowledge_jobs) as jobs,
             (select count(*)::int from knowledge_leftovers) as leftovers`,
          );
          expect(rows).toEqual([{ jobs: 0, leftovers: 0 }]);
        },
        { timeoutMs: 60_000 },
      );
      expect(await list()).toMatchObject([{ id: source?.id, status: 'ready', chunkCount: 3 }]);
      const { rows } = await world.db.query(
        `select c.text, c.generation = s.generation as "isServed" from knowledge_chunks c
       left join knowledge_sources s on s.organization_id = c.organization_id and s.id = c.source_id order by c.url`,
      );
      expect(rows).toEqual(
        ['apples', 'bananas of version', 'the start'].map((about) => ({
          text: expect.stringContaining(about),
          isServed: true,
        })),
      );
      const counted = await world.db.query(
        `select (select count(distinct generation)::int from knowledge_pages) as pages,
         (select count(distinct generation)::int from knowledge_segments) as segments`,
      );
      expect(counted.rows).toEqual([{ pages: 1, segments: 1 }]);
    } finally {
      await survivor.stop();
    }
    // In the full storm, the service starts eighteen times.
  },
  isFull ? 1_200_000 : 300_000,
);
