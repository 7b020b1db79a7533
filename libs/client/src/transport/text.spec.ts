import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Operation } from '../operation.js';
import { ScriptedServer } from '../testing/scripted-server.js';
import { openText } from './text.js';

let server: ScriptedServer;

beforeAll(async () => {
  server = await ScriptedServer.start();
});
afterAll(() => server.stop());
beforeEach(() => server.reset());

const file: Operation = {
  ...{ id: 'sample.file', method: 'GET', path: '/file', hasBody: false, takesIdempotencyKey: false },
  ...{ isStream: false, isText: true, isList: false, isBare: false },
};
const read = async (): Promise<string> => {
  let text = '';
  for await (const piece of await openText({ baseUrl: server.baseUrl, retries: 0 }, file, {}, {}))
    text += piece;
  return text;
};
const headers = { 'content-type': 'text/csv' };

describe('a file', () => {
  it('is read as text, and asked for as CSV', async () => {
    server.replies.push({ headers, body: 'name\nZoë\n' });
    expect(await read()).toBe('name\nZoë\n');
    expect(server.seen[0]?.headers.accept).toBe('text/csv');
  });

  it('that breaks off is no file', async () => {
    server.replies.push({ headers, body: 'name\nZo', breaks: true });
    await expect(read()).rejects.toThrow();
  });

  it('that is refused says why', async () => {
    const body = JSON.stringify({
      success: false,
      message: 'No.',
      error: { code: 'RATE_LIMITED', requestId: 'r-1', retryable: true },
    });
    server.replies.push({ status: 429, headers: { 'content-type': 'application/json' }, body });
    await expect(read()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });
});
