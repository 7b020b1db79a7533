import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { createLogger, systemIds } from '@parlance/observability';
import express from 'express';
import { requestContext } from './request-context.js';

interface Line {
  readonly [field: string]: unknown;
}

let lines: Line[] = [];
let server: Server;
let url: string;

beforeAll(async () => {
  const logger = createLogger({
    service: 'gateway',
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
  });
  const app = express();
  app.use(
    requestContext({
      logger,
      ids: systemIds,
      securityEventOf: (route, status) => (status === 403 ? `${route} denied` : undefined),
    }),
  );
  app.get('/forbidden', (_request, response) => {
    response.locals.route = 'calls.list';
    response.status(403).end();
  });
  app.get('/calls/:number', (_request, response) => {
    Object.assign(response.locals, { route: 'calls.get', organizationId: 'o1', actor: 'key:k1' });
    logger.info('working');
    response.end('done');
  });
  app.get('/never', () => undefined);
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
});

beforeEach(() => {
  lines = [];
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('a request', () => {
  it('is one line in the log that says what, who, how it ended and how long it took, and nothing else', async () => {
    await fetch(`${url}/calls/+14155550100?token=canary`, { headers: { 'x-request-id': 'ticket-4711' } });
    await eventually(() => expect(lines).toHaveLength(2));
    expect(lines[1]).toEqual({
      level: 'info',
      time: expect.any(String),
      service: 'gateway',
      requestId: 'ticket-4711',
      organizationId: 'o1',
      actor: 'key:k1',
      method: 'GET',
      route: 'calls.get',
      status: 200,
      durationMs: expect.any(Number),
      msg: 'request answered',
    });
    expect(JSON.stringify(lines)).not.toMatch(/4155550100|canary/);
  });

  it('gives its id to every line that is written on the way', async () => {
    await fetch(`${url}/calls/1`, { headers: { 'x-request-id': 'ticket-4712' } });
    await eventually(() => expect(lines).toHaveLength(2));
    expect(lines[0]).toMatchObject({ msg: 'working', requestId: 'ticket-4712' });
  });

  it('that is a security event says which one', async () => {
    await fetch(`${url}/forbidden`);
    await eventually(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toMatchObject({ status: 403, securityEvent: 'calls.list denied' });
  });

  it('that its client gave up is marked', async () => {
    await expect(fetch(`${url}/never`, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await eventually(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toMatchObject({ aborted: true, route: 'none' });
  });
});
