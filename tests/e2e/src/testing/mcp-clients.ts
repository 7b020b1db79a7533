// MCP clients of both generations, each with the API key of one account.
import {
  type CallToolResult,
  Client,
  ProtocolError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { shapes } from './mcp-shapes.js';

export type Given = Readonly<Record<string, unknown>>;

/** The structured content of a tool's answer. */
export interface Answer {
  readonly isError: boolean;
  readonly content: Readonly<Record<string, unknown>>;
}

export interface McpClientOptions {
  /** The protocol of 2026-07-28, which a client of 2025 does not know. */
  readonly modern?: boolean;
  /** The answer of a person to a question; without it the client has no person to ask. */
  readonly person?: (message: string) => 'agrees' | 'refuses' | 'cancels';
  readonly fetch?: typeof fetch;
}

const answers = {
  agrees: { action: 'accept', content: { agree: true } },
  refuses: { action: 'accept', content: { agree: false } },
  cancels: { action: 'cancel' },
} as const;

export const connectMcp = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  { modern = true, person, ...transport }: McpClientOptions = {},
): Promise<Client> => {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      ...(modern ? { versionNegotiation: { mode: 'auto' as const } } : {}),
      capabilities: person === undefined ? {} : { elicitation: { form: {} } },
      jsonSchemaValidator: shapes,
    },
  );
  if (person !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => answers[person(params.message)]);
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), { ...transport, requestInit: { headers } }),
  );
  return client;
};

export const answerOf = ({ isError, structuredContent }: CallToolResult): Answer => ({
  isError: isError === true,
  content: Object(structuredContent),
});

export const callTool = async (client: Client, name: string, given: Given = {}): Promise<Answer> =>
  answerOf(await client.callTool({ name, arguments: given }));

/** Calls a tool, and confirms it where it asks for that. */
export const confirmTool = async (client: Client, name: string, given: Given = {}): Promise<Answer> => {
  const first = await callTool(client, name, given);
  const { confirmationToken } = first.content;
  return typeof confirmationToken === 'string'
    ? callTool(client, name, { ...given, confirmationToken })
    : first;
};

/** The error of a refused request for a resource. @throws Error where it was not refused */
export const refusalAt = async (
  client: Client,
  uri: string,
): Promise<Given & { readonly rpcCode: number }> => {
  try {
    await client.readResource({ uri });
  } catch (error) {
    if (error instanceof ProtocolError) return { rpcCode: error.code, ...Object(error.data) };
    throw error;
  }
  throw new Error(`${uri} was read`);
};

/** The answer without the field that differs from request to request. */
export const withoutRequestId = ({ requestId: _, ...rest }: Given): Given => rest;
