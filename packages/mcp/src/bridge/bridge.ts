// Carries messages both ways, as they come. The platform serves every version of the protocol at one address, so the bridge
// need not know the version of its client.

import { PassThrough, type Readable, type Writable } from 'node:stream';
import {
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { explain } from '../failures.js';
import type { Settings } from '../settings.js';

const serverError = -32_000;

export interface BridgeOptions extends Settings {
  readonly input: Readable;
  readonly output: Writable;
  /** Errors, for people. Standard output belongs to the protocol. */
  readonly tell: (sentence: string) => void;
}

/** The version that the platform chose, in the answer to the client's first request. */
const versionIn = (message: JSONRPCMessage): string | undefined => {
  const result: unknown = 'result' in message ? message.result : undefined;
  const { protocolVersion }: { protocolVersion?: unknown } = Object(result);
  return typeof protocolVersion === 'string' ? protocolVersion : undefined;
};

/** Resolves when the client has ended its input, and everything it asked is answered. */
export const runBridge = async ({ url, apiKey, input, output, tell }: BridgeOptions): Promise<void> => {
  // The transport gives up its output when its input ends. Answers to earlier requests still have to leave.
  const lines = new PassThrough();
  const client = new StdioServerTransport(input.pipe(lines, { end: false }), output);
  const platform = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { 'x-api-key': apiKey } },
  });
  const waiting = new Set<RequestId>();
  let greeting: RequestId | undefined;
  let inputEnded = false;
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const settle = (id: RequestId): void => {
    waiting.delete(id);
    if (inputEnded && waiting.size === 0) finish();
  };

  const refuse = async (id: RequestId, error: unknown): Promise<void> => {
    await client.send({ jsonrpc: '2.0', id, error: { code: serverError, message: explain(error) } });
    settle(id);
  };
  const toPlatform = async (message: JSONRPCMessage): Promise<void> => {
    const id = isJSONRPCRequest(message) ? message.id : undefined;
    if (id !== undefined) waiting.add(id);
    if (isInitializeRequest(message)) greeting = id;
    try {
      await platform.send(message);
    } catch (error) {
      tell(explain(error));
      if (id !== undefined && waiting.has(id)) await refuse(id, error);
    }
  };
  const toClient = async (message: JSONRPCMessage): Promise<void> => {
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    if (isAnswer && message.id !== undefined && message.id === greeting) {
      const version = versionIn(message);
      if (version !== undefined) platform.setProtocolVersion(version);
    }
    await client.send(message);
    if (isAnswer && message.id !== undefined) settle(message.id);
  };

  client.onmessage = (message) => void toPlatform(message);
  client.onerror = (error) => tell(`A line of the client is no message: ${error.message}`);
  platform.onmessage = (message) => void toClient(message);
  await platform.start();
  await client.start();
  input.once('end', () => {
    // After the lines that are still on their way.
    lines.write('', () =>
      setImmediate(() => {
        inputEnded = true;
        if (waiting.size === 0) finish();
      }),
    );
  });
  await finished;
  await platform.close();
  await client.close();
};
