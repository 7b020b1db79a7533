// Pages of every site load the widget's files: by one short address, or by a version that never changes and a hash.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { TestGateway } from '../testing/test-gateway.js';

interface Listed {
  readonly version: string;
  readonly files: readonly { readonly path: string; readonly integrity: string }[];
}

let engines: TestEngines;
let gateway: TestGateway;
let db: Database;

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  const { url: postgresUrl } = await engines.databaseFor('gateway');
  db = createDatabase({ url: postgresUrl, applicationName: 'test' });
  gateway = await TestGateway.start({ postgresUrl, natsUrl: engines.natsUrl });
});
afterAll(async () => {
  await db?.end();
  await gateway?.stop();
  await engines?.stop();
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(new URL(path, gateway.gateway.url), { headers });
const latest = async (): Promise<Listed> => (await (await get('/widget/latest.json')).json()) as Listed; // as the route writes it

describe('the files of the widget', () => {
  it('are each what the published hash says, at an address that may be cached for ever', async () => {
    const { version, files } = await latest();
    expect(files.map(({ path }) => path)).toContain(`/widget/${version}/widget.js`);
    for (const { path, integrity } of files) {
      const answer = await get(path);
      const content = Buffer.from(await answer.arrayBuffer());
      expect([path, answer.status]).toEqual([path, 200]);
      expect(`sha384-${createHash('sha384').update(content).digest('base64')}`).toBe(integrity);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('may be loaded by pages of every origin, as what they are and nothing else', async () => {
    const { headers } = await get('/widget.js', { origin: 'https://shop.example.com' });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=300, must-revalidate',
    });
    expect(headers.get('set-cookie')).toBeNull();
  });

  it.each(['gzip', 'br', 'identity'])('are sent as %s to browsers that take only that', async (encoding) => {
    const answer = await get('/widget.js', { 'accept-encoding': encoding });
    expect(answer.headers.get('content-encoding') ?? 'identity').toBe(encoding);
    expect(answer.headers.get('vary')).toContain('Accept-Encoding');
    // The client decodes: all three are the same script.
    expect(await answer.text()).toContain('voice-agent-widget');
  });

  it('are not sent again to a browser that has them', async () => {
    const etag = (await get('/widget.js')).headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    const again = await get('/widget.js', { 'if-none-match': etag });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });

  it.each([
    '/widget/0.0.0/widget.js',
    '/widget/latest/widget.js',
    '/widget/VERSION/../manifest.json',
    '/widget/VERSION/manifest.json',
    '/widget/VERSION/%2e%2e/%2e%2e/package.json',
    '/widget/VERSION/widget.js.gz',
    '/Widget.js',
  ])('answer 404 at %s', async (path) => {
    const { version } = await latest();
    const answer = await get(path.replace('VERSION', version));
    expect(answer.status).toBe(404);
  });
});

describe('a page that pinned a version, or was open during an upgrade', () => {
  const earlier = '0.0.9-0123456789ab';

  /** Plays a gateway of another release: keeps the files of this one under another version. */
  const keepAnotherRelease = async (): Promise<void> => {
    const { version } = await latest();
    await eventually(async () => {
      const { rowCount } = await db.query('select 1 from widget_versions where version = $1', [version]);
      expect(rowCount).toBe(1);
    });
    await db.query('insert into widget_versions (version) values ($1)', [earlier]);
    await db.query(
      `insert into widget_files (version, path, integrity, br, gzip, identity)
       select $2, path, integrity, br, gzip, identity from widget_files where version = $1`,
      [version, earlier],
    );
  };

  it('gets each file of its version from a gateway of another version', async () => {
    const address = `/widget/${earlier}/widget.js`;
    expect((await get(address)).status).toBe(404);
    await keepAnotherRelease();
    await eventually(async () => expect((await get(address)).status).toBe(200));
    const { version, files } = await latest();
    for (const { path, integrity } of files) {
      const answer = await get(path.replace(version, earlier));
      const content = Buffer.from(await answer.arrayBuffer());
      expect(`sha384-${createHash('sha384').update(content).digest('base64')}`).toBe(integrity);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
    expect((await get(`/widget/${earlier}/other.js`)).status).toBe(404);
  });
});
