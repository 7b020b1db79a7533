// The demo page is there only where a widget was named for it. It holds itself to the policy that websites are told to use.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { TestGateway } from '../testing/test-gateway.js';
import type { DemoWidget } from './demo-page.js';

let engines: TestEngines;
let gateway: TestGateway;
let widget: DemoWidget | undefined;
beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  const { url: postgresUrl } = await engines.databaseFor('gateway');
  gateway = await TestGateway.start({
    postgresUrl,
    natsUrl: engines.natsUrl,
    variables: { LIVEKIT_WS_URL: 'wss://media.example.com' },
    demoWidget: () => widget,
  });
});
afterAll(async () => {
  await gateway?.stop();
  await engines?.stop();
});

const parts = ['/widget-demo', '/widget-demo/demo.js', '/widget-demo/demo.css'];

it('does not exist while no widget is named for it', async () => {
  widget = undefined;
  for (const path of parts) expect((await gateway.raw(path)).status).toBe(404);
});

it('shows the named widget, with the tag to copy, and every part is a file of its own', async () => {
  widget = { id: randomUUID(), hasVoice: true };
  const [page, script, style] = await Promise.all(parts.map((path) => gateway.raw(path)));
  expect([page, script, style].map((part) => part?.headers.get('content-type'))).toEqual([
    'text/html; charset=utf-8',
    'text/javascript; charset=utf-8',
    'text/css; charset=utf-8',
  ]);
  expect(page?.body).toContain(`<voice-agent-widget widget-id="${widget.id}">`);
  expect(page?.body).toContain(`&lt;voice-agent-widget widget-id=&quot;${widget.id}&quot;>`);
  expect(page?.body).not.toMatch(/<style|<script>| style=/);
});

it('lets itself reach its own origin and the media server, and be shown in no frame', async () => {
  widget = { id: randomUUID(), hasVoice: true };
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

it('asks for a microphone and reaches a media server only where a browser can join one', async () => {
  const asked = async (hasVoice: boolean) => {
    widget = { id: randomUUID(), hasVoice };
    const { headers, body } = await gateway.raw('/widget-demo');
    const sources = /connect-src ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];
    return [headers.get('permissions-policy'), sources, body.includes('microphone')];
  };
  const media = "'self' wss://media.example.com https://media.example.com";
  expect(await asked(true)).toEqual(['microphone=(self)', media, true]);
  expect(await asked(false)).toEqual(['microphone=()', "'self'", false]);
});

it('answers nothing but a read of its own parts', async () => {
  widget = { id: randomUUID(), hasVoice: true };
  expect((await gateway.raw('/widget-demo', { method: 'POST' })).status).toBe(404);
  expect((await gateway.raw('/widget-demo/other.js')).status).toBe(404);
  expect((await gateway.raw('/widget-demo/constructor')).status).toBe(404);
});
