import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { type FaultControl, startFaultControl } from './fault-control.js';
import { withFaults } from './fault-middleware.js';
import { FaultSwitches } from './fault-switches.js';
import { type Listening, listen } from './http-listener.js';

const switches = new FaultSwitches(['work']);
let control: FaultControl;
let engine: Listening;
let done = 0;

beforeAll(async () => {
  control = await startFaultControl({ token: 'secret', engines: { shop: switches } });
  const app = express();
  app.use(
    withFaults(switches, () => 'work', {
      clientError: (response) => response.status(400).json({ code: 'no' }),
      rateLimited: (response, seconds) =>
        response.status(429).set('retry-after', String(seconds)).json({ code: 'later' }),
      serverError: (response) => response.status(503).json({ code: 'broken' }),
    }),
  );
  app.get('/', (_, response) => {
    done += 1;
    response.set('x-done', 'yes').write('{"ok":');
    response.end('true}');
  });
  engine = await listen(app, {});
});
afterAll(() => Promise.all([control.stop(), engine.stop()]));

const ask = (method: string, body?: object, token = 'secret') =>
  fetch(`${control.url}/faults`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
const once = (mode: string, more: object = {}) =>
  ask('POST', { engine: 'shop', target: 'work', mode, times: 1, ...more });
/** A patience that is to run out is short, and still long enough for the engine to have begun. */
const work = async (patienceMs = 30_000) => {
  const before = done;
  // The error is of another realm than the test, so only its name identifies it.
  const answer: Response | string = await fetch(engine.url, {
    signal: AbortSignal.timeout(patienceMs),
  }).catch((error: { readonly name: string }) => error.name);
  return { answer, did: done - before };
};

describe('the control', () => {
  it('is closed to who does not have the token', async () => {
    expect((await ask('GET', undefined, 'guess')).status).toBe(401);
    expect((await ask('GET')).status).toBe(200);
  });

  it('says what exists when something does not', async () => {
    const answer = await ask('POST', { engine: 'shop', target: 'work', mode: 'explode' });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ targets: [{ target: 'work' }] });
    expect(await (await ask('POST', { engine: 'mill', target: 'work', mode: 'ok' })).json()).toMatchObject({
      engines: { shop: [{ target: 'work' }] },
    });
  });

  it('makes everything work again', async () => {
    await once('5xx-before', { times: 9 });
    await ask('DELETE');
    expect(await work()).toMatchObject({ answer: { status: 200 }, did: 1 });
  });
});

describe('a handler with faults', () => {
  it.each([
    ['ok', 200, 1],
    ['slow', 200, 1],
    ['4xx', 400, 0],
    ['429', 429, 0],
    ['5xx-before', 503, 0],
    ['5xx-after', 503, 1],
  ])('in mode %s answers %d having worked %d times', async (mode, status, did) => {
    await once(mode, { ms: 20, retryAfter: 3 });
    const seen = await work();
    expect(seen).toMatchObject({ answer: { status }, did });
    if (!(seen.answer instanceof Response)) throw new Error('no answer');
    expect(seen.answer.headers.get('retry-after')).toBe(mode === '429' ? '3' : null);
    expect(seen.answer.headers.get('x-done')).toBe(status === 200 ? 'yes' : null);
    expect(await seen.answer.json()).toEqual(status === 200 ? { ok: true } : { code: expect.any(String) });
  });

  it.each([
    ['refuse', 'TypeError', 0],
    ['reset-before', 'TypeError', 0],
    ['reset-after', 'TypeError', 1],
    ['hang-after', 'TimeoutError', 1],
  ])('in mode %s ends in a %s having worked %d times', async (mode, answer, did) => {
    await once(mode);
    expect(await work(mode === 'hang-after' ? 1_000 : undefined)).toEqual({ answer, did });
  });
});
