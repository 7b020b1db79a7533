// The ways in which an answer leaves the hostile server.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

export type JsonRpcId = string | number | null;

const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };

export const result = (id: JsonRpcId, value: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: value });

export const failure = (id: JsonRpcId, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });

export const send = (response: ServerResponse, body: string, headers: Record<string, string> = {}): void =>
  void response.writeHead(200, { ...json, ...headers }).end(body);

/** Promises a whole answer, sends half of it, and is gone. */
export const dieMidAnswer = (response: ServerResponse, body: string): void => {
  response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(body) });
  response.write(body.slice(0, body.length / 2), () => response.destroy());
};

/** Sends the headers at once and then a byte each second, as long as somebody listens. */
export const drip = (response: ServerResponse, body: string): void => {
  response.writeHead(200, json);
  const bytes = Buffer.from(body);
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < bytes.length) response.write(bytes.subarray(sent, ++sent));
    else response.end();
  }, 1_000);
  response.once('close', () => clearInterval(timer));
};

const event = (message: string): string => `event: message\ndata: ${message}\n\n`;

/** Answers by a stream that ends with its one message. */
export const sendStream = (
  response: ServerResponse,
  body: string,
  headers: Record<string, string> = {},
): void => void response.writeHead(200, { ...events, ...headers }).end(event(body));

const distanceMs = 300;

/** Answers late, by a stream that ends with its one message. */
export const sendFromAfar = (
  response: ServerResponse,
  body: string,
  headers: Record<string, string> = {},
): void => {
  const timer = setTimeout(() => sendStream(response, body, headers), distanceMs);
  response.once('close', () => clearTimeout(timer));
};

const notification = JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data: 'x'.repeat(200) },
});

/** Sends that many notifications as fast as they are read, then the answer. */
export const flood = async (
  response: ServerResponse,
  notifications: number,
  answer: string | undefined,
): Promise<void> => {
  response.writeHead(200, events);
  const gone = once(response, 'close');
  for (let sent = 0; sent < notifications && !response.destroyed; sent += 1) {
    if (!response.write(event(notification))) await Promise.race([once(response, 'drain'), gone]);
  }
  response.end(answer === undefined ? undefined : event(answer));
};
