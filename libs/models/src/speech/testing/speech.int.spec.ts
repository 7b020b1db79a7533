// Recognition and speech at servers that answer something else than the protocol.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { Egress } from '@parlance/egress';
import { type RunningOpenAi, startOpenAi } from '@parlance/fake-openai';
import { speak, transcribe } from '../speech.js';

let server: RunningOpenAi;
let egress: Egress;
beforeAll(async () => {
  server = await startOpenAi();
  egress = new Egress({ allowPrivate: [`127.0.0.1:${server.port}`], deny: [] });
});
afterEach(() => server.faults.clear());
afterAll(async () => {
  await egress.close();
  await server.stop();
});

const endpoint = () => ({ baseUrl: server.url, model: 'own', apiKey: new Secret('key') });

const recognized = (signal?: AbortSignal): Promise<string> =>
  transcribe(endpoint(), { file: new Uint8Array(64), language: 'de-AT' }, { egress, signal });

const spoken = async (signal?: AbortSignal): Promise<number> => {
  let bytes = 0;
  const speech = { text: 'Good day.', voice: 'alloy', language: 'en' };
  for await (const chunk of speak(endpoint(), speech, { egress, signal })) bytes += chunk.length;
  return bytes;
};

describe('recognition', () => {
  it.each([
    ['a page of HTML', 'html', 'invalidResponse'],
    ['half of a JSON object', 'invalid-json', 'invalidResponse'],
    ['a body without an end', 'endless', 'tooLarge'],
    ['a connection that breaks', 'reset-mid', 'unreachable'],
  ])('fails with a reason for %s', async (_, mode, reason) => {
    server.faults.set({ target: 'transcriptions-answer', mode });
    await expect(recognized()).rejects.toMatchObject({ reason });
  });

  it.each([
    ['de-AT', 'de'],
    ['fil', 'tl'],
    ['fil-PH', 'tl'],
    ['en', 'en'],
  ])('is asked for %s by the code of Whisper, %s', async (language, code) => {
    const bodies: string[] = [];
    const open: Egress['open'] = (_, request) => {
      bodies.push(String(request?.body));
      return Promise.reject(new Error('nobody there'));
    };
    const hearing = { file: new Uint8Array(64), language };
    await transcribe(endpoint(), hearing, { egress: { open } }).catch(() => undefined);
    expect(bodies.join()).toMatch(new RegExp(`name="language"\\s+${code}\\s`));
  });

  it('is left when the caller speaks again, although the server hangs', async () => {
    server.faults.set({ target: 'transcriptions-answer', mode: 'hang-mid' });
    const left = new AbortController();
    const waiting = recognized(left.signal);
    left.abort();
    await expect(waiting).rejects.toThrow();
  });
});

describe('speech', () => {
  it.each([
    ['a page of HTML', 'html', 'invalidResponse'],
    ['audio without an end', 'endless', 'tooLarge'],
    ['a connection that breaks', 'reset-mid', 'unreachable'],
  ])('fails with a reason for %s', async (_, mode, reason) => {
    server.faults.set({ target: 'speech-answer', mode });
    await expect(spoken()).rejects.toMatchObject({ reason });
  });

  it('is left when the agent is interrupted, although the server hangs', async () => {
    server.faults.set({ target: 'speech-answer', mode: 'hang-mid' });
    const left = new AbortController();
    const waiting = spoken(left.signal);
    left.abort();
    await expect(waiting).rejects.toThrow();
  });
});
