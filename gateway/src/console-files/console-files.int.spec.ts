// The console's page answers every address for people, under a policy that stops everything that is not ours.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { TestGateway } from '../testing/test-gateway.js';

let engines: TestEngines;
let gateway: TestGateway;
let without: TestGateway;

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  const start = async (variables: Readonly<Record<string, string>>): Promise<TestGateway> => {
    const { url: postgresUrl } = await engines.databaseFor('gateway');
    return TestGateway.start({ postgresUrl, natsUrl: engines.natsUrl, variables });
  };
  gateway = await start({
    LIVEKIT_WS_URL: 'wss://media.example.com',
    OBJECT_STORAGE_PUBLIC_URL: 'https://files.example.com/base',
    CONSOLE_CONNECT_ORIGINS: 'https://mirror.example.com',
  });
  without = await start({ CONSOLE: 'off' });
});
afterAll(async () => {
  await gateway?.stop();
  await without?.stop();
  await engines?.stop();
});

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const open = (path: string) => gateway.raw(path, { headers: browser });
const assetsIn = (page: string): readonly string[] =>
  [...page.matchAll(/(?:src|href)="(\/console-assets\/[^"]+)"/g)].map(([, path = '']) => path);

describe('the page of the console', () => {
  it.each([
    '/',
    '/agents',
    '/agents/new',
    '/sign-in',
    '/account/reset-password',
    '/account/invitation',
    '/no/such/page',
  ])('answers %s, and no browser keeps it', async (path) => {
    const { status, headers, body } = await open(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(assetsIn(body)).not.toEqual([]);
  });

  it('allows scripts, styles and fonts of ours alone, none of them inline', async () => {
    const { headers, body } = await open('/');
    const policy = headers.get('content-security-policy') ?? '';
    const directives = new Map(
      policy.split(';').map((part) => {
        const [name = '', ...sources] = part.trim().split(' ');
        return [name, sources.join(' ')] as const;
      }),
    );
    expect(Object.fromEntries(directives)).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'font-src': "'self'",
      'connect-src':
        "'self' wss://media.example.com https://media.example.com https://files.example.com https://mirror.example.com",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
    });
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=/);
  });

  it('loads files that may be kept for ever, and are sent compressed', async () => {
    for (const path of assetsIn((await open('/')).body)) {
      const answer = await fetch(new URL(path, gateway.gateway.url), {
        headers: { 'accept-encoding': 'br' },
      });
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-encoding')).toBe('br');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      await answer.arrayBuffer();
    }
  });

  it.each([
    '/api/v1/no-such-path',
    '/api/v2/agents',
    '/hooks/unknown',
    '/mcp/unknown',
    '/public/unknown',
    '/console-assets/index-00000000.js',
    '/console-assets/..%2fmanifest.json',
    '/.well-known/unknown',
  ])('leaves %s to programs: a mistake there is JSON, whoever asks', async (path) => {
    const { status, body } = await open(path);
    expect([status, body.error?.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('is not given to a program that asks a mistyped address', async () => {
    const { status, body } = await gateway.raw('/agents', { headers: { accept: 'application/json' } });
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('with the console off', () => {
  it.each(['/', '/agents', '/console-assets/index.js'])('%s answers 404', async (path) => {
    expect((await without.raw(path, { headers: browser })).status).toBe(404);
  });

  it('the links of mails open the small pages of the gateway', async () => {
    const { status, body } = await without.raw('/account/reset-password', { headers: browser });
    expect(status).toBe(200);
    expect(body).toContain('<script src="/account/account.js">');
  });
});
