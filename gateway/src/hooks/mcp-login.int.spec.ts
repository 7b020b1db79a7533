// The page that people come back to from the authorization server of an MCP server.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type McpLoginOutcome, serviceRequests } from '@parlance/contracts';
import { type Asked, serveOperation, testEngines } from '@parlance/fixtures';
import type { Outcome } from '@parlance/rpc';
import express from 'express';
import { type Fixture, startFixture } from '../testing/fixture.js';
import type { Reply } from '../testing/test-gateway.js';
import { mcpClientDocument } from './mcp-login.js';

let fixture: Fixture;
let asked: Asked[];
let answer: () => Outcome;
const crossed: string[] = [];

beforeAll(async () => {
  const engines = await testEngines({ postgres: true, nats: true });
  fixture = await startFixture(engines);
  fixture.nats.subscribe('>', {
    callback: (_, message) => crossed.push(Buffer.from(message.data).toString('latin1')),
  });
  ({ asked } = await serveOperation(fixture.nats, serviceRequests.mcpFinishLogin, () => answer()));
});

beforeEach(() => {
  asked.length = 0;
  answer = () => ({ data: { outcome: 'authorized' } });
});

afterAll(() => fixture?.stop());

/** The browser follows a link of another site, so it sends its cookie and no origin. */
const comeBack = (
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = { cookie: fixture.person.session.cookie ?? '' },
): Promise<Reply> => fixture.gateway.raw(`/hooks/mcp/oauth?${new URLSearchParams(query)}`, { headers });

const login = (): Record<string, string> => ({
  state: randomUUID(),
  code: `code-${randomUUID()}`,
  iss: 'https://a.example',
});

describe('the answer of an authorization server', () => {
  it('reaches the hub sealed, in the name of the person who is signed in', async () => {
    const query = login();
    const reply = await comeBack(query);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(reply.body).toContain('The connection is authorized');
    expect(asked).toHaveLength(1);
    const [, claims = ''] = (asked[0]?.headers?.get('x-caller-token') ?? '').split('.');
    const { caller } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
    expect(caller).toMatchObject({
      organizationId: fixture.person.organizationId,
      actor: { type: 'user', id: fixture.person.userId },
    });
    expect(
      crossed.filter((text) => text.includes(query.code ?? '') || text.includes(query.state ?? '')),
    ).toEqual([]);
  });

  it.each<[McpLoginOutcome, string]>([
    ['declined', 'was not allowed to let Parlance in'],
    ['unknown', 'good once'],
    ['other_issuer', 'another server than the one that was asked'],
    ['failed', 'gave Parlance no token'],
  ])('that ends as %s says so in a sentence', async (outcome, sentence) => {
    answer = () => ({ data: { outcome } });
    const reply = await comeBack(login());
    expect(reply.status).toBe(400);
    expect(reply.body).toContain(sentence);
  });

  it('shows nothing of what came with the request', async () => {
    answer = () => ({ data: { outcome: 'declined' } });
    const query = { state: 's', error: '<script>alert(1)</script>', error_description: 'call 0900' };
    const { body } = await comeBack(query);
    expect(body).not.toMatch(/alert|0900/);
  });

  it.each([
    ['nobody', {}],
    ['a stale session', { cookie: 'parlance.session_token=made-up' }],
    ['an API key', { 'x-api-key': 'parl_test_made_up' }],
  ])('of %s goes nowhere, and asks for a sign-in', async (_, headers) => {
    const reply = await comeBack(login(), headers);
    expect(reply.status).toBe(401);
    expect(reply.body).toContain('<form id="signIn">');
    expect(asked).toEqual([]);
  });

  it.each([
    ['without a state', { code: 'c' }],
    ['with a state that is too long', { state: 's'.repeat(300), code: 'c' }],
  ])('%s goes nowhere', async (_, query) => {
    expect((await comeBack(query)).status).toBe(400);
    expect(asked).toEqual([]);
  });

  it('is answered with a page while the hub is away', async () => {
    answer = () => ({ error: { code: 'SERVICE_UNAVAILABLE', message: '' } });
    const reply = await comeBack(login());
    expect(reply.status).toBe(503);
    expect(reply.body).toContain('Begin again');
  });
});

describe('the document by which authorization servers know the platform', () => {
  it('names itself, and where people are sent back to', async () => {
    const app = express();
    app.get('/document', mcpClientDocument('https://parlance.example'));
    const server = app.listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const reply = await fetch(`http://127.0.0.1:${port}/document`);
      expect(await reply.json()).toEqual({
        client_id: 'https://parlance.example/hooks/mcp/client.json',
        client_name: 'Parlance',
        client_uri: 'https://parlance.example',
        redirect_uris: ['https://parlance.example/hooks/mcp/oauth'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'web',
      });
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('is not there without https, because such an address is no client id', async () => {
    expect((await fixture.gateway.raw('/hooks/mcp/client.json')).status).toBe(404);
  });
});
