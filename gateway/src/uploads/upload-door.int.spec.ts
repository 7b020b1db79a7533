// Uploads whose size the client did not name, on their way through the gateway to an object storage.
import { createServer, request as httpRequest, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type Asked, eventually, serveOperation, testEngines } from '@parlance/fixtures';
import type { Outcome } from '@parlance/rpc';
import { type Fixture, startFixture } from '../testing/fixture.js';

interface Stored {
  readonly headers: Readonly<Record<string, unknown>>;
  bytes: number;
  isWhole: boolean;
}

let fixture: Fixture;
let asked: Asked[];
let answer: () => Outcome;
let storage: Server;
let storageUrl: string;
let storageStatus: number;
const stored: Stored[] = [];

beforeAll(async () => {
  storage = createServer((request, response) => {
    // The gateway also reads its log of erasures there.
    if (request.method === 'GET') return response.end('<ListBucketResult></ListBucketResult>');
    const file: Stored = { headers: request.headers, bytes: 0, isWhole: false };
    stored.push(file);
    request.on('data', (chunk: Buffer) => {
      file.bytes += chunk.length;
    });
    request.on('error', () => undefined);
    request.on('end', () => {
      file.isWhole = request.complete;
      response.writeHead(storageStatus).end();
    });
  });
  await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve));
  const address = storage.address();
  storageUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/bucket/key?signature`;
  fixture = await startFixture(await testEngines({ postgres: true, nats: true }), {
    OBJECT_STORAGE_URL: new URL(storageUrl).origin,
    OBJECT_STORAGE_ACCESS_KEY_ID: 'key',
    OBJECT_STORAGE_SECRET_ACCESS_KEY: 'a secret of the storage',
  });
  ({ asked } = await serveOperation(fixture.nats, serviceRequests.knowledgeAdmitUpload, () => answer()));
});
beforeEach(() => {
  asked.length = 0;
  stored.length = 0;
  storageStatus = 200;
  answer = () => ({ data: { url: storageUrl } });
});
afterAll(async () => {
  await fixture?.stop();
  storage.closeAllConnections();
  storage.close();
});

const put = (path: string, raw: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
  fixture.gateway.raw(path, { method: 'PUT', raw, headers: { 'content-type': 'text/csv', ...headers } });

describe('an upload at the gateway', () => {
  it('arrives at the storage byte by byte, under the size that the service was asked for', async () => {
    const body = Buffer.alloc(3_000_000, 'x');
    expect((await put('/uploads/knowledge/ticket', body)).status).toBe(200);
    expect(asked.map(({ input }) => input.body)).toEqual([
      { ticket: 'ticket', contentType: 'text/csv', bytes: body.length },
    ]);
    expect(stored).toMatchObject([
      {
        headers: { 'content-length': String(body.length), 'content-type': 'text/csv' },
        bytes: body.length,
        isWhole: true,
      },
    ]);
    expect(stored[0]?.headers).not.toHaveProperty('transfer-encoding');
  });

  it('without a size is refused before anybody is asked', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(fixture.gateway.gateway.url);
      const request = httpRequest({ hostname, port, method: 'PUT', path: '/uploads/knowledge/ticket' });
      request.on('response', (response) => resolve(response.resume().statusCode));
      request.on('error', reject);
      // Without a length Node sends chunks.
      request.write('a');
      request.end('b');
    });
    expect(status).toBe(400);
    expect([asked, stored]).toEqual([[], []]);
  });

  it.each(['PAYLOAD_TOO_LARGE', 'QUOTA_REACHED', 'UPLOAD_EXPIRED', 'NOT_FOUND'] as const)(
    'that the service refuses with %s reaches no storage',
    async (code) => {
      answer = () => ({ error: new AppError(code).toWire() });
      const { status, body } = await put('/uploads/knowledge/ticket', 'abc');
      expect([status, body]).toEqual([
        new AppError(code).status,
        expect.objectContaining({ error: expect.objectContaining({ code }) }),
      ]);
      expect(stored).toEqual([]);
    },
  );

  it('that the storage refuses can be sent again later', async () => {
    storageStatus = 403;
    expect((await put('/uploads/knowledge/ticket', 'abc')).status).toBe(503);
    expect(stored).toHaveLength(1);
  });

  it('is passed on to no other address than the storage', async () => {
    answer = () => ({ data: { url: storageUrl.replace('127.0.0.1', 'localhost') } });
    expect((await put('/uploads/knowledge/ticket', 'abc')).status).toBe(503);
    expect(stored).toEqual([]);
  });

  it('of a client that breaks off is never whole at the storage', async () => {
    const { hostname, port } = new URL(fixture.gateway.gateway.url);
    const headers = { 'content-length': 100_000, 'content-type': 'text/csv' };
    const request = httpRequest({
      hostname,
      port,
      method: 'PUT',
      path: '/uploads/knowledge/ticket',
      headers,
    });
    request.on('error', () => undefined);
    request.write('x'.repeat(50_000));
    await eventually(() => expect(stored[0]?.bytes).toBeGreaterThan(0));
    request.destroy();
    await eventually(
      () =>
        new Promise<void>((resolve, reject) =>
          storage.getConnections((_, count) =>
            count === 0 ? resolve() : reject(new Error('still connected')),
          ),
        ),
    );
    expect(stored).toMatchObject([{ isWhole: false }]);
  });

  it('for a service that takes none is not found', async () => {
    for (const service of ['calls-logs', '__proto__', 'constructor'])
      expect((await put(`/uploads/${service}/ticket`, 'abc')).status).toBe(404);
    expect(asked).toEqual([]);
  });
});
