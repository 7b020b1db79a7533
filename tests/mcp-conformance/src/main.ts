// Two addresses for the conformance suite. One is the facade of the platform that `npm start` runs, the other a server with
// the suite's own tools on the facade's transport. The suite brings no credential. It reaches both through a door that adds
// the platform's key.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createMcpHandler, createRequestStateCodec, McpServer } from '@modelcontextprotocol/server';
import { createApp, Gateway } from '@parlance/mcp-facade';
import { createLogger, systemIds } from '@parlance/observability';
import { createProxyServer } from 'httpxy';
import { z } from 'zod';
import { registerContent } from './content.js';
import { type State as Kept, registerQuestions } from './questions.js';

const ports = { facade: 4731, demonstration: 4732, behind: 4733 } as const;

const State = z.object({ url: z.string(), demo: z.object({ apiKey: z.string() }) });
const folder = process.argv[2] ?? fileURLToPath(new URL('../../../.parlance', import.meta.url));
const platform = `${folder}/platform.json`;
if (!existsSync(platform)) {
  process.stderr.write(
    `No platform has been started in ${folder}. Run \`npm start\` in another terminal first, or name the data folder of one that runs.\n`,
  );
  process.exit(2);
}
const { url, demo } = State.parse(JSON.parse(readFileSync(platform, 'utf8')));

const listen = (port: number, serve: RequestListener): void => {
  createServer(serve).listen(port, '127.0.0.1');
};

/** Passes everything on, with the key. */
const door = (port: number, target: string): void => {
  const proxy = createProxyServer({ target, headers: { 'x-api-key': demo.apiKey } });
  listen(port, (request, response) => {
    proxy.web(request, response).catch(() => response.destroy());
  });
};

const codec = createRequestStateCodec<Kept>({ key: randomBytes(32) });
const demonstration = (): McpServer => {
  const server = new McpServer(
    { name: 'demonstration', version: '0.1.0' },
    { capabilities: { logging: {} }, requestState: { verify: codec.verify } },
  );
  registerContent(server);
  registerQuestions(server, codec);
  return server;
};

const logger = createLogger({ service: 'mcp-conformance', level: 'warn' });
listen(
  ports.behind,
  createApp({
    ...{ logger, ids: systemIds, handler: createMcpHandler(demonstration), gateway: new Gateway(url) },
    ...{ publicUrl: `http://127.0.0.1:${ports.behind}`, allowedOrigins: [], issuer: undefined },
    isReady: async () => true,
  }),
);
door(ports.facade, url);
door(ports.demonstration, `http://127.0.0.1:${ports.behind}`);

const suite = 'npx -y -p node@24 -p @modelcontextprotocol/conformance@0.2.0-alpha.12 conformance server';
process.stdout.write(`The facade of ${url}, with its key:
  ${suite} --spec-version 2025-11-25 --url http://127.0.0.1:${ports.facade}/mcp
The demonstration server:
  ${suite} --requirements 2026-07-28 --url http://127.0.0.1:${ports.demonstration}/mcp
`);
