// What an organization may store: the size of each upload, of those that are open, of all files, and the chunks made of them.

import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, contract, serviceRequests } from '@parlance/contracts';
import { ownerOf } from '@parlance/fixtures/service';
import { fileCounts } from '@parlance/object-storage';
import type { RunningService } from '@parlance/observability';
import { runQuotasCommand } from '@parlance/ops/quotas';
import { quotas } from '../quotas.js';
import { clearOrganization } from '../removal/clear-organization.js';
import { askedSources, code } from '../testing/asked-sources.js';
import { page, World } from '../testing/world.js';
import { deleteUnusedDocuments } from './uploads.js';

let world: World;
const services: RunningService[] = [];
const { create, list, settled } = askedSources(() => world);
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await world?.stop();
});

/** One service at a time, with quotas of its own. */
const withService = async <T>(
  variables: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> => {
  const service = await world.startService(variables);
  services.push(service);
  try {
    return await work();
  } finally {
    await service.stop();
    services.pop();
  }
};

const contentType = 'text/plain';
const address = (who: Caller, bytes?: number) =>
  world.ask(
    contract.knowledgeUploadUrl,
    { query: { fileName: 'a.txt', contentType, ...(bytes !== undefined && { bytes: String(bytes) }) } },
    who,
  );
const admit = (uploadUrl: string, bytes: number, type = contentType) =>
  world.ask(
    serviceRequests.knowledgeAdmitUpload,
    { body: { ticket: uploadUrl.split('/').at(-1) ?? '', contentType: type, bytes } },
    ownerOf(),
  );
const put = async (url: string, content: string): Promise<number> =>
  (await fetch(url, { method: 'PUT', body: content, headers: { 'content-type': contentType } })).status;
const usageOf = async ({ organizationId }: Caller): Promise<number> => {
  const { rows } = await world.db.query<{ bytes: string }>(
    'select bytes from storage_usage where organization_id = $1',
    [organizationId],
  );
  return Number(rows[0]?.bytes ?? 0);
};
const reached = (quota: string, figures: object) =>
  expect.objectContaining({ code: 'QUOTA_REACHED', details: { quota, ...figures } });

const mebibyte = 1_048_576;

describe('an upload', () => {
  it('takes exactly the bytes that its request named, and none beyond the largest file', () =>
    withService({}, async () => {
      const who = ownerOf();
      const { uploadUrl, fileKey, maxBytes } = await address(who, 5);
      expect(await put(uploadUrl, 'sixsix')).toBe(403);
      expect(await world.storage.head(fileKey)).toBeUndefined();
      expect(await put(uploadUrl, 'seven')).toBe(200);
      await expect(address(who, maxBytes + 1)).rejects.toEqual(code('PAYLOAD_TOO_LARGE'));
      expect(await usageOf(who)).toBe(5);
    }));

  it('whose request named no size is counted when its size is known, and as often as it is sent, once', () =>
    withService({ PUBLIC_URL: 'https://voice.example.com/' }, async () => {
      const who = ownerOf();
      const { uploadUrl, fileKey, maxBytes } = await address(who);
      expect(uploadUrl).toMatch(/^https:\/\/voice\.example\.com\/uploads\/knowledge\/[\w-]+$/);
      expect(await usageOf(who)).toBe(0);
      for (const content of ['eleven byte', 'nine byte']) {
        const { url } = await admit(uploadUrl, content.length);
        expect(await put(url, `${content}!`)).toBe(403);
        expect(await put(url, content)).toBe(200);
        expect(await usageOf(who)).toBe(content.length);
      }
      expect(await world.storage.head(fileKey)).toMatchObject({ bytes: 9 });
      await expect(admit(uploadUrl, maxBytes + 1)).rejects.toEqual(code('PAYLOAD_TOO_LARGE'));
      await expect(admit(uploadUrl, 9, 'text/html')).rejects.toEqual(code('UNSUPPORTED_MEDIA_TYPE'));
      const forged = `${uploadUrl.slice(0, -1)}${uploadUrl.endsWith('A') ? 'B' : 'A'}`;
      for (const ticket of [forged, 'AAAA', ''])
        await expect(admit(ticket, 9)).rejects.toEqual(code('NOT_FOUND'));
    }));

  it('is refused beyond the open uploads and beyond the quota of its organization, and no other organization is', () =>
    withService({ OPEN_UPLOADS_MB: '2', QUOTA_KNOWLEDGE_MB: '3' }, async () => {
      const [who, other] = [ownerOf(), ownerOf()];
      await address(who, 2 * mebibyte);
      const open = { limit: 2 * mebibyte, used: 2 * mebibyte };
      await expect(address(who, 1)).rejects.toEqual(reached('openBytes', open));
      const { uploadUrl } = await address(who);
      await expect(admit(uploadUrl, 1)).rejects.toEqual(reached('openBytes', open));
      // The addresses are closed by then.
      await world.db.query(
        `update stored_files set open_until = now() - interval '1 hour' where organization_id = $1`,
        [who.organizationId],
      );
      const stored = { limit: 3 * mebibyte, used: 2 * mebibyte };
      await expect(address(who, mebibyte + 1)).rejects.toEqual(reached('bytes', stored));
      await address(who, mebibyte);
      await expect(address(who, 1)).rejects.toEqual(reached('bytes', { ...stored, used: 3 * mebibyte }));
      await address(other, 2 * mebibyte);
    }));

  it('never passes the quota however many come at once', () =>
    withService({ QUOTA_KNOWLEDGE_MB: '1' }, async () => {
      const who = ownerOf();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, () => address(who, Math.floor(mebibyte / 7))),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
      expect(await usageOf(who)).toBeLessThanOrEqual(mebibyte);
    }));

  it('is refused whatever its size where the quota is 0', () =>
    withService({ QUOTA_KNOWLEDGE_MB: '0' }, async () => {
      const none = reached('bytes', { limit: 0, used: 0 });
      for (const bytes of [undefined, 0, 1]) await expect(address(ownerOf(), bytes)).rejects.toEqual(none);
    }));

  it('that never came, or was deleted, is counted no more once the storage was listed, and one without a count is', () =>
    withService({}, async () => {
      const who = ownerOf();
      await address(who, 1_000);
      const { uploadUrl, fileKey } = await address(who, 4);
      expect(await put(uploadUrl, 'here')).toBe(200);
      expect(await usageOf(who)).toBe(1_004);
      const clockIn = (hours: number) => ({ now: () => new Date(Date.now() + hours * 3_600_000) });
      const look = (hours: number) =>
        deleteUnusedDocuments({ db: world.db, storage: world.storage, clock: clockIn(hours) });
      await look(0);
      expect(await usageOf(who)).toBe(1_004);
      await look(1);
      expect(await usageOf(who)).toBe(4);
      // A file of a release that counted none.
      await world.db.query('delete from stored_files where organization_id = $1', [who.organizationId]);
      expect(await usageOf(who)).toBe(0);
      await look(1);
      expect(await usageOf(who)).toBe(4);
      await look(26);
      expect(await world.storage.head(fileKey)).toBeUndefined();
      expect(await usageOf(who)).toBe(0);
      expect(await fileCounts(world.db).organizations()).not.toContain(who.organizationId);
    }));
});

describe('the chunks of an organization', () => {
  const chunksOf = async ({ organizationId }: Caller): Promise<number> => {
    const { rows } = await world.db.query<{ chunks: string }>(
      'select chunks from knowledge_totals where organization_id = $1',
      [organizationId],
    );
    return Number(rows[0]?.chunks ?? 0);
  };
  const long = Array.from({ length: 400 }, (_, n) => `The price of article ${n} is ${n} euros a piece.`).join(
    ' ',
  );

  it('stay within the quota: a source beyond it fails, and is served as it was before', () =>
    withService({ QUOTA_KNOWLEDGE_CHUNKS: '2' }, async () => {
      const who = ownerOf();
      world.site.pages.set('/quota', page('Prices', 'A haircut costs twenty euros on each day of the week.'));
      await create(who, [{ type: 'url', url: `${world.site.url}/quota` }]);
      expect(await settled(who)).toMatchObject({ status: 'ready', chunkCount: 1 });
      expect(await chunksOf(who)).toBe(1);

      world.site.pages.set('/quota', page('Prices', long));
      const [{ id } = { id: '' }] = await list(who);
      await world.ask(contract.knowledgeRefresh, { params: { kbId: id } }, who);
      expect(await settled(who)).toMatchObject({
        status: 'failed',
        error: { code: 'TOO_LARGE' },
        chunkCount: 1,
      });
      expect(await chunksOf(who)).toBe(1);
      await world.ask(contract.knowledgeDelete, { params: { kbId: id } }, who);
      expect(await chunksOf(who)).toBe(0);
    }));

  it('refuse another source once the quota is reached, and any where it is 0', () =>
    withService({ QUOTA_KNOWLEDGE_CHUNKS: '0' }, async () => {
      await expect(create(ownerOf(), [{ type: 'url', url: `${world.site.url}/quota` }])).rejects.toEqual(
        reached('chunks', { limit: 0, used: 0 }),
      );
    }));
});

describe('the quotas of one organization', () => {
  const operate = async (...args: readonly string[]) => {
    const [output, errors] = [new PassThrough(), new PassThrough()];
    const status = await runQuotasCommand(quotas, {
      args: ['quotas', ...args],
      variables: { ...world.variables, QUOTA_KNOWLEDGE_MB: '3' },
      input: Readable.from([]),
      output,
      errors,
    });
    return { status, output: String(output.read() ?? ''), errors: String(errors.read() ?? '') };
  };
  const storage = (who: Caller) => world.ask(serviceRequests.knowledgeStorage, { body: {} }, who);

  it('are set, shown with what is used, and taken back, and hold for its next upload and source', () =>
    withService({ QUOTA_KNOWLEDGE_MB: '3' }, async () => {
      const [who, other] = [ownerOf(), ownerOf()];
      const { organizationId } = who;
      expect((await operate(organizationId, '--knowledge', '1')).output).toMatch(
        /knowledge files +0 MiB of 1 MiB +set for this organization\n.*chunks +0 of 500000 +as for everybody/,
      );
      await address(who, mebibyte);
      await expect(address(who, 1)).rejects.toEqual(reached('bytes', { limit: mebibyte, used: mebibyte }));
      await address(other, 2 * mebibyte);
      expect(await storage(who)).toEqual({
        bytes: { used: mebibyte, limit: mebibyte },
        chunks: { used: 0, limit: 500_000 },
      });
      await operate(organizationId, '--knowledge', '2', '--chunks', '0');
      await address(who, mebibyte);
      const sources = [{ type: 'url' as const, url: `${world.site.url}/quota` }];
      await expect(create(who, sources)).rejects.toEqual(reached('chunks', { limit: 0, used: 0 }));
      await operate(organizationId, '--knowledge', '0');
      await expect(address(who, 0)).rejects.toEqual(reached('bytes', { limit: 0, used: 2 * mebibyte }));
      expect((await operate(organizationId, '--knowledge', 'default')).output).toMatch(
        /knowledge files +2 MiB of 3 MiB +as for everybody/,
      );
      await address(who, mebibyte);
    }));

  it('hold for the next organization of its owner where they are lower than those of all, and survive its removal', () =>
    withService({ QUOTA_KNOWLEDGE_MB: '3' }, async () => {
      const [low, high, next] = [ownerOf(), ownerOf(), ownerOf()];
      await operate(low.organizationId, '--knowledge', '1', '--chunks', '7');
      await operate(high.organizationId, '--knowledge', '100', '--chunks', '5');
      await clearOrganization({ db: world.db, storage: world.storage }, low.organizationId);
      const earlierIds = [low.organizationId, high.organizationId, 'unknown'];
      await world.ask(serviceRequests.knowledgeBegin, { body: { earlierIds } }, next);
      expect(await storage(next)).toEqual({
        bytes: { used: 0, limit: mebibyte },
        chunks: { used: 0, limit: 5 },
      });
      const raised = ownerOf();
      await world.ask(
        serviceRequests.knowledgeBegin,
        { body: { earlierIds: [high.organizationId] } },
        raised,
      );
      expect(await storage(raised)).toMatchObject({ bytes: { limit: 3 * mebibyte }, chunks: { limit: 5 } });
    }));

  it.each([
    [[], 'Which organization?'],
    [['a b'], 'is not the id of one organization'],
    [['a', '--knowledge', '-1'], '--knowledge'],
    [['a', '--knowledge', '1.5'], '--knowledge takes a whole number'],
    [['a', '--chunks', '1234567890'], '--chunks takes a whole number'],
    [['a', '--recordings', '5'], '--recordings is a quota of another service'],
  ])('are not changed by %j, and the command says why', async (args, expected) => {
    const { status, errors } = await operate(...args);
    expect([status, errors]).toEqual([2, expect.stringContaining(expected)]);
  });
});
