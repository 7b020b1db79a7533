import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ScriptedBody } from './testing/scripted-body.js';
import { ScriptedServer } from './testing/scripted-server.js';
import type { Operation } from './transport/operation.js';
import { openText } from './transport/text.js';

let server: ScriptedServer;

beforeAll(async () => {
  server = await ScriptedServer.start();
});
afterAll(() => server.stop());
beforeEach(() => server.reset());
afterEach(() => {
  jest.useRealTimers();
});

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

  it('may be read slowly: the longest silence runs only while the client waits', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const body = new ScriptedBody();
    const options = { baseUrl: server.baseUrl, fetch: body.fetch, timeoutMs: 30_000, retries: 0 };
    const pieces = (await openText(options, file, {}, {}))[Symbol.asyncIterator]();
    body.arrives('name');
    expect(await pieces.next()).toMatchObject({ value: 'name' });
    jest.advanceTimersByTime(3_600_000);
    expect(body.isEnded).toBe(false);
    const waiting = pieces.next();
    // One turn of the loop later the client waits.
    await new Promise(setImmediate);
    jest.advanceTimersByTime(30_000);
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
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
