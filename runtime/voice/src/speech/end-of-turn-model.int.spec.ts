import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { endOfTurnAt } from './end-of-turn-model.js';

const audio = { samples: new Int16Array(160), rate: 16_000 };

describe('the model of the end of turn', () => {
  let server: Server | undefined;
  let asked = 0;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });
  const modelBehind = async (listener: RequestListener) => {
    asked = 0;
    const started = createServer((request, response) => {
      asked += 1;
      listener(request, response);
    });
    server = started;
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
    const { port } = started.address() as AddressInfo;
    return endOfTurnAt({ url: `http://127.0.0.1:${port}/v1`, key: 'secret' });
  };
  const { signal } = new AbortController();

  it('is asked with the audio as a WAVE file, and with the key', async () => {
    const model = await modelBehind(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const isRight =
        request.url === '/v1/audio/turns' &&
        request.headers.authorization === 'Bearer secret' &&
        Buffer.concat(parts).subarray(0, 4).toString() === 'RIFF';
      response.end(JSON.stringify({ finished: isRight ? 0.75 : 0 }));
    });
    expect(await model.estimate(audio, signal)).toBe(0.75);
  });

  it('is not asked again where the server does not have it', async () => {
    const model = await modelBehind((_, response) => response.writeHead(404).end());
    expect(await model.estimate(audio, signal)).toBeUndefined();
    expect(await model.estimate(audio, signal)).toBeUndefined();
    expect(asked).toBe(1);
  });

  it.each(['no JSON', '{}', '{"finished":"yes"}', '{"finished":7}'])(
    'says nothing after the answer %s',
    async (body) => {
      const model = await modelBehind((_, response) => response.end(body));
      expect(await model.estimate(audio, signal)).toBeUndefined();
    },
  );

  it('says nothing when the caller speaks again before the answer', async () => {
    const stop = new AbortController();
    const model = await modelBehind(() => stop.abort());
    expect(await model.estimate(audio, stop.signal)).toBeUndefined();
  });
});
