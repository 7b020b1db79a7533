// For tests: the requests of a person about sources over NATS, and their rows in Postgres.
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { type Caller, contract, type RequestOf } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import type { KnowledgeSource } from '../sources/source-record.js';
import type { World } from './world.js';

type Body = RequestOf<typeof contract.knowledgeCreate>['body'];
export type Sources = NonNullable<Body['sources']>;

/** An error with this code. */
export const code = (expected: string) => expect.objectContaining({ code: expected });

/** The world is asked for late, because it starts after its tests are declared. */
export const askedSources = (world: () => World) => {
  const create = (who: Caller, sources: Sources, agentId = randomUUID()) =>
    world().ask(contract.knowledgeCreate, { body: { agentId, sources } }, who);
  const list = (who: Caller) => world().ask(contract.knowledgeList, { query: {} }, who);
  const refresh = (who: Caller, kbId: string) =>
    world().ask(contract.knowledgeRefresh, { params: { kbId } }, who);

  /** The tries of a page do not wait for each other here. */
  const hurry = ({ organizationId }: Caller) =>
    world().db.query('update knowledge_jobs set next_try_at = now() where organization_id = $1', [
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
    const { rows } = await world().db.query<{ url: string; state: string; error_code: string | null }>(
      'select url, state, error_code from knowledge_pages where organization_id = $1 order by ordinal',
      [organizationId],
    );
    return rows.map(({ url, state, error_code }) => [new URL(url).pathname, error_code ?? state]);
  };

  const chunksOf = async ({ organizationId }: Caller) => {
    const { rows } = await world().db.query<{ generation: number; text: string }>(
      'select generation, url, headings, text, language from knowledge_chunks where organization_id = $1 order by url, ordinal',
      [organizationId],
    );
    return rows;
  };

  return { create, list, refresh, hurry, settled, pagesOf, chunksOf };
};
