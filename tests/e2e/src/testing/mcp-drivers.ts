// One face for MCP clients of both generations. SDK version 2 has protocol 2026-07-28 and the agreement of a person.
// SDK version 1 has protocol 2025-11-25 and confirmation by tokens.
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { connectMcp, type Given } from './mcp-clients.js';

export interface Driver {
  readonly protocol: string;
  /** The data of a tool's answer. @throws Error with the structured content of a refusal */
  do(tool: string, given?: Given): Promise<Readonly<Record<string, unknown>>>;
  /** The data of a resource. */
  read(uri: string): Promise<Readonly<Record<string, unknown>>>;
  /** The sentences that the client was asked to confirm. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

interface Result {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
}

const dataOf = (name: string, { isError, structuredContent }: Result): Readonly<Record<string, unknown>> => {
  if (isError === true) throw new Error(`${name} answers ${JSON.stringify(structuredContent)}`);
  return Object(Object(structuredContent).data);
};

const readData = (contents: readonly unknown[]): Readonly<Record<string, unknown>> =>
  Object(JSON.parse(String(Object(contents[0]).text)).data);

const secondVersion = async (url: string, headers: Record<string, string>): Promise<Driver> => {
  const asked: string[] = [];
  const person = (message: string): 'agrees' => {
    asked.push(message);
    return 'agrees';
  };
  const client = await connectMcp(url, headers, { person });
  return {
    protocol: client.getNegotiatedProtocolVersion() ?? '',
    asked,
    do: async (tool, given = {}) => dataOf(tool, await client.callTool({ name: tool, arguments: given })),
    read: async (uri) => readData((await client.readResource({ uri })).contents),
    close: () => client.close(),
  };
};

const firstVersion = async (url: string, headers: Record<string, string>): Promise<Driver> => {
  const asked: string[] = [];
  const client = new FirstClient({ name: 'test', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } });
  await client.connect(transport);
  // It checks answers against the schemas of tools that it has listed.
  await client.listTools();
  const call = async (name: string, given: Given): Promise<Result> =>
    Object(await client.callTool({ name, arguments: given }));
  return {
    protocol: transport.protocolVersion ?? '',
    asked,
    do: async (tool, given = {}) => {
      const first = await call(tool, given);
      const { status, summary, confirmationToken } = Object(first.structuredContent);
      if (status !== 'confirmation_required') return dataOf(tool, first);
      asked.push(String(summary));
      return dataOf(tool, await call(tool, { ...given, confirmationToken }));
    },
    read: async (uri) => readData((await client.readResource({ uri })).contents),
    close: () => client.close(),
  };
};

export const generations = [
  ['SDK version 2, protocol 2026-07-28', '2026-07-28', secondVersion],
  ['SDK version 1, protocol 2025-11-25', '2025-11-25', firstVersion],
] as const;
