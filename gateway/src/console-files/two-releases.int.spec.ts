// Two releases side by side: a page of either copy of the gateway finds its files at the other one.
import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Secret } from '@parlance/config';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { contentTypeOf, type StaticFile } from '../http/static-file.js';
import { TestGateway } from '../testing/test-gateway.js';
import type { ConsoleFiles } from './files.js';

const fileOf = (path: string, text: string): StaticFile => {
  const identity = Buffer.from(text);
  return {
    integrity: `sha384-${createHash('sha384').update(identity).digest('base64')}`,
    contentType: contentTypeOf(path),
    bodies: { br: brotliCompressSync(identity), gzip: gzipSync(identity), identity },
  };
};

const buildOf = (name: string): ConsoleFiles => {
  const texts = [
    [`/console-assets/index-${name}.js`, `console.log('${name}')`],
    [`/console-assets/index-${name}.css`, `/* ${name} */`],
    ['/console-assets/libraries-00000000.js', 'the same in both'],
    // A name without a hash may stand for other contents in another release.
    [`/console-assets/notes.${name}.txt`, name],
    [`/robots-${name}.txt`, name],
  ] as const;
  return {
    page: fileOf('index.html', `<script src="/console-assets/index-${name}.js"></script>`),
    assets: new Map(texts.map(([path, text]) => [path, fileOf(path, text)])),
  };
};
const [before, after] = ['aaaaaaaa', 'bbbbbbbb'];

let engines: TestEngines;
let postgresUrl: Secret;
let db: Database;
const gateways: TestGateway[] = [];

const start = async (
  name: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<TestGateway> => {
  const readConsole = () => buildOf(name);
  const gateway = await TestGateway.start({
    ...{ postgresUrl, natsUrl: engines.natsUrl, readConsole, variables },
  });
  gateways.push(gateway);
  return gateway;
};
const get = (gateway: TestGateway, path: string, encoding = 'br'): Promise<Response> =>
  fetch(new URL(path, gateway.gateway.url), { headers: { 'accept-encoding': encoding } });
const scriptOf = (name: string): string => `/console-assets/index-${name}.js`;
const keptPaths = async (): Promise<readonly string[]> =>
  (await db.query<{ path: string }>('select path from console_files order by path')).rows.map(
    ({ path }) => path,
  );

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  ({ url: postgresUrl } = await engines.databaseFor('gateway'));
  db = createDatabase({ url: postgresUrl, applicationName: 'test' });
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
  await db?.end();
  await engines?.stop();
});

describe('copies of two releases', () => {
  it('serve the files of each other, from the first page of the new one on', async () => {
    const old = await start(before);
    const current = await start(after);
    for (const [gateway, name] of [
      [old, after],
      [current, before],
    ] as const)
      for (const encoding of ['br', 'gzip', 'identity']) {
        const script = await get(gateway, scriptOf(name), encoding);
        expect([name, script.status, script.headers.get('content-encoding') ?? 'identity']).toEqual([
          ...[name, 200, encoding],
        ]);
        expect(await script.text()).toBe(`console.log('${name}')`);
      }
    const style = await get(old, scriptOf(after).replace('.js', '.css'));
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    await style.arrayBuffer();
  });

  it('send a file of the other one with the headers of their own', async () => {
    const [old] = gateways;
    if (old === undefined) throw new Error('the copies run');
    const headersOf = async (name: string) => {
      const answer = await get(old, scriptOf(name));
      await answer.arrayBuffer();
      const { etag, date, ...headers } = Object.fromEntries(answer.headers);
      const requestId = headers['x-request-id'];
      expect([typeof etag, typeof date, typeof requestId]).toEqual(['string', 'string', 'string']);
      return { ...headers, 'x-request-id': '' };
    };
    const own = await headersOf(before);
    expect(own).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable' });
    expect(await headersOf(after)).toEqual(own);
  });

  it('keep files whose names change with their contents, and no other', async () => {
    expect(await keptPaths()).toEqual([
      ...[before, after].flatMap((name) => [`/console-assets/index-${name}.css`, scriptOf(name)]),
      '/console-assets/libraries-00000000.js',
    ]);
    const [old] = gateways;
    if (old === undefined) throw new Error('the copies run');
    expect((await get(old, `/console-assets/notes.${after}.txt`)).status).toBe(404);
    expect((await get(old, '/console-assets/index-cccccccc.js')).status).toBe(404);
  });

  it('forget a release thirty days after it was last current, and nothing that a current one shares with it', async () => {
    await db.query("update console_files set last_current_at = now() - interval '29 days'");
    await start(after);
    expect(await keptPaths()).toContain(scriptOf(before));
    await db.query("update console_files set last_current_at = now() - interval '31 days'");
    await start(after);
    expect(await keptPaths()).toEqual([
      ...[`/console-assets/index-${after}.css`, scriptOf(after)],
      '/console-assets/libraries-00000000.js',
    ]);
  });

  it('keep nothing where the console is off', async () => {
    await start('dddddddd', { CONSOLE: 'off' });
    expect(await keptPaths()).not.toContain(scriptOf('dddddddd'));
  });
});
