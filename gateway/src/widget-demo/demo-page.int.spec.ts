// The demo page is there only where a widget was named for it. It holds itself to the policy that websites are told to use.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestEngines, testEngines } from '@parlance/testing';
import { TestGateway } from '../testing/test-gateway.js';

let engines: TestEngines;
let gateway: TestGateway;
let widgetId: string | undefined;
beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  const { url: postgresUrl } = await engines.databaseFor('gateway');
  gateway = await TestGateway.start({
    postgresUrl,
    natsUrl: engines.natsUrl,
    variables: { LIVEKIT_WS_URL: 'wss://media.example.com' },
    demoWidgetId: () => widgetId,
  });
});
afterAll(async () => {
  await gateway?.stop();
  await engines?.stop();
});

const parts = ['/widget-demo', '/widget-demo/demo.js', '/widget-demo/demo.css'];

it('does not exist while no widget is named for it', async () => {
  widgetId = undefined;
  for (const path of parts) expect((await gateway.raw(path)).status).toBe(404);
});

it('shows the named widget, with the tag to copy, and every part is a file of its own', async () => {
  widgetId = randomUUID();
  const [page, script, style] = await Promise.all(parts.map((path) => gateway.raw(path)));
  expect([page, script, style].map((part) => part?.headers.get('content-type'))).toEqual([
    'text/html; charset=utf-8',
    'text/javascript; charset=utf-8',
    'text/css; charset=utf-8',
  ]);
  expect(page?.body).toContain(`<voice-agent-widget widget-id="${widgetId}">`);
  expect(page?.body).toContain(`&lt;voice-agent-widget widget-id=&quot;${widgetId}&quot;>`);
  expect(page?.body).not.toMatch(/<style|<script>| style=/);
});

it('lets itself reach its own origin and the media server, and be shown in no frame', async () => {
  widgetId = randomUUID();
  const { headers } = await gateway.raw('/widget-demo');
  const policy = headers.get('content-security-policy')?.split('; ');
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self' wss://media.example.com https://media.example.com",
      "frame-ancestors 'none'",
    ]),
  );
});

it('answers nothing but a read of its own parts', async () => {
  widgetId = randomUUID();
  expect((await gateway.raw('/widget-demo', { method: 'POST' })).status).toBe(404);
  expect((await gateway.raw('/widget-demo/other.js')).status).toBe(404);
  expect((await gateway.raw('/widget-demo/constructor')).status).toBe(404);
});
