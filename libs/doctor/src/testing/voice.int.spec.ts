// The checks of the voice runtime and of its speech server, against servers that answer as these do.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { voice } from '../checks/voice.js';
import type { Looking } from '../probe/check.js';

let server: Server | undefined;
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

const serve = async (status: number, body: object): Promise<string> => {
  const answers = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server = answers;
  await new Promise<void>((resolve) => answers.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(answers.address() as AddressInfo).port}`;
};
const nobody = 'http://127.0.0.1:9';

const findingsOf = async (name: string, variables: Readonly<Record<string, string>>) => {
  const found: unknown[] = [];
  const looking = {
    variables,
    machine: { now: () => Date.now() },
    signal: new AbortController().signal,
    found: (code: string, { seen }: { readonly seen: string }) => found.push([code, seen]),
    clock: () => undefined,
  };
  await voice.find((check) => check.name === name)?.look(looking as unknown as Looking);
  return found;
};

describe('the voice runtime, as the doctor sees it', () => {
  it('is well when it is ready', async () => {
    expect(
      await findingsOf('voice-runtime', { VOICE_RUNTIME_OPS_URL: await serve(200, { status: 'ready' }) }),
    ).toEqual([]);
  });

  it('is reported with its reasons when it is not ready, and when one of several is away', async () => {
    const url = await serve(503, { status: 'not ready', reasons: ['mediaServer: does not work'] });
    expect(await findingsOf('voice-runtime', { VOICE_RUNTIME_OPS_URL: `${url},${nobody}` })).toEqual([
      ['VOICE_RUNTIME_NOT_READY', 'It answers 503: mediaServer: does not work.'],
      ['VOICE_RUNTIME_UNREACHABLE', expect.any(String)],
    ]);
  });
});

describe('the speech server, as the doctor sees it', () => {
  it('is well when it has models', async () => {
    const url = await serve(200, { data: [{ id: 'whisper-base' }] });
    expect(await findingsOf('speech', { SPEECH_URL: `${url}/v1`, SPEECH_KEY: 'key' })).toEqual([]);
  });

  it.each([
    ['refuses the key', 401, {}, 'SPEECH_REFUSES'],
    ['has loaded no model', 200, { data: [] }, 'SPEECH_WITHOUT_MODELS'],
    ['is another server', 404, {}, 'SPEECH_WITHOUT_MODELS'],
  ])('is reported when it %s', async (_, status, body, code) => {
    const url = await serve(status, body);
    expect(await findingsOf('speech', { SPEECH_URL: `${url}/v1` })).toEqual([[code, expect.any(String)]]);
  });

  it('is reported with its languages when it speaks few of them', async () => {
    const kokoro = { id: 'kokoro-82m', kind: 'tts', languages: ['en', 'fr'] };
    const few = await serve(200, {
      data: [{ id: 'whisper-base', kind: 'stt', languages: ['multilingual'] }, kokoro],
    });
    expect(await findingsOf('speech', { SPEECH_URL: `${few}/v1` })).toEqual([
      ['SPEECH_WITHOUT_LANGUAGES', 'It speaks en, fr.'],
    ]);
  });

  it('is reported when it is away', async () => {
    expect(await findingsOf('speech', { SPEECH_URL: `${nobody}/v1` })).toEqual([
      ['SPEECH_UNREACHABLE', expect.any(String)],
    ]);
  });
});
