// A customer's system that repeats its input in many writings, and a collector of traces.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';

export interface Received {
  readonly path: string;
  readonly method: string;
  readonly url: string;
  readonly headers: string;
  readonly body: string;
}

const read = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    }),
  );

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The whole request, in the writings in which programs repeat their input. */
const writings = ({ url, headers, body }: Received) => {
  const all = `${url} ${headers} ${body}`;
  return {
    ...{ url, body, text: all, json: JSON.stringify(JSON.stringify({ all })) },
    ...{ base64: base64(all), shifted: base64(` ${all}`), hex: Buffer.from(all).toString('hex') },
    ...{ encoded: encodeURIComponent(all), form: new URLSearchParams({ all }).toString() },
    nested: [{ deep: { headers: JSON.parse(headers) as unknown } }], // this system's own reading of the headers
  };
};

/** Of at most 8,000 characters, because a header has a limit. */
const headerOf = (text: string): string => encodeURIComponent(text).slice(0, 8_000);

type Answer = (received: Received, ...args: Parameters<RequestListener>) => void;

/**
 * `/ok` accepts. `/said` answers with the body of the request. `/mirror` accepts and repeats the request in every writing. `/echo` fails and repeats the request as text.
 * `/moved` leads to `/mirror` with the same query. `/garbage` repeats the request as something that is not HTTP.
 */
const answers: Readonly<Record<string, Answer>> = {
  ok: (_received, _request, response) => void response.end('{}'),
  said: ({ body }, _request, response) =>
    void response.setHeader('content-type', 'application/json').end(body),
  mirror: (received, _request, response) => {
    const { headers, url, body } = received;
    response.setHeader('content-type', 'application/json');
    response.setHeader('x-echo', headerOf(`${url} ${headers}`));
    response.setHeader('x-base64', base64(`${url} ${body}`).slice(0, 4_000));
    response.end(JSON.stringify(writings(received)));
  },
  echo: ({ headers, body, url }, _request, response) =>
    void response.writeHead(500, { 'x-echo': headerOf(headers) }).end(`no: ${url} ${headers}${body}`),
  moved: ({ url }, _request, response) =>
    void response.writeHead(302, { location: url.replace('/moved', '/mirror') }).end(`see ${url}`),
  garbage: ({ url, headers }, request) => void request.socket.end(`HTTP/1.1 ${url} ${headers}\r\n\r\n`),
};

export interface EchoingSystem {
  readonly url: string;
  readonly received: readonly Received[];
  /** The spans that were sent to `collectorUrl`. */
  readonly traced: readonly string[];
  readonly collectorUrl: string;
  stop(): void;
}

export const startEchoingSystem = async (): Promise<EchoingSystem> => {
  const received: Received[] = [];
  const traced: string[] = [];
  const take = async (request: IncomingMessage): Promise<Received> => {
    const body = (await read(request)).toString();
    const { url = '', method = '' } = request;
    const path = url.split('?', 1)[0] ?? '';
    return { path, method, url, headers: JSON.stringify(request.headers), body };
  };
  const system = createServer(async (request, response) => {
    const one = await take(request);
    received.push(one);
    const answer = answers[one.path.split('/')[1] ?? ''] ?? answers.ok;
    answer?.(one, request, response);
  });
  const collector = createServer(async (request, response) => {
    traced.push((await read(request)).toString('latin1'));
    response.end();
  });
  const [url, collectorUrl] = [await listen(system), await listen(collector)];
  const stop = (): void => {
    system.close();
    collector.close();
  };
  return { url, received, traced, collectorUrl, stop };
};
