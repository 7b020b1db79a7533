// The commands of the terminal client: list, call, read.
import {
  Client,
  ProtocolError,
  StreamableHTTPClientTransport,
  type Tool,
} from '@modelcontextprotocol/client';
import { Mendable, type Settings } from '../settings.js';
import { readArguments } from './arguments.js';

export interface Terminal {
  readonly print: (text: string) => void;
  /** Asks the person at the keyboard; undefined where the input is no terminal. */
  readonly ask: ((question: string) => Promise<boolean>) | undefined;
}

export interface CallOptions {
  readonly json?: string | undefined;
  readonly pairs: readonly string[];
  readonly token?: string | undefined;
}

const indented = (value: unknown): string => JSON.stringify(value, null, 2);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** A refusal of the platform, as sentences. */
const refusal = (content: unknown): Mendable => {
  const { code, message, requestId, details }: Readonly<Record<string, unknown>> = Object(content);
  const issues: unknown = Object(details).issues;
  const lines = (Array.isArray(issues) ? issues : []).map(
    (issue: unknown) =>
      `  ${String(Object(issue).path).replace(/^(body|params|query)\./, '')}: ${Object(issue).message}`,
  );
  const rest = lines.length === 0 && details !== undefined ? [`  ${JSON.stringify(details)}`] : lines;
  return new Mendable([`${message} (${code}, request ${requestId})`, ...rest].join('\n'));
};

export class TerminalClient {
  readonly #client: Client;
  readonly #terminal: Terminal;

  private constructor(client: Client, terminal: Terminal) {
    this.#client = client;
    this.#terminal = terminal;
  }

  static async connect({ url, apiKey }: Settings, terminal: Terminal): Promise<TerminalClient> {
    const client = new Client(
      { name: 'parlance-terminal', version: '0.1.0' },
      { versionNegotiation: { mode: 'auto' } },
    );
    const headers = { 'x-api-key': apiKey };
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }),
    );
    return new TerminalClient(client, terminal);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async list(): Promise<void> {
    const { tools } = await this.#client.listTools();
    const { resources } = await this.#client.listResources();
    const { resourceTemplates } = await this.#client.listResourceTemplates();
    const wide = Math.max(...tools.map(({ name }) => name.length));
    this.#terminal.print('Tools (npm run mcp -- call NAME --arg name=value):');
    for (const { name, title, _meta } of tools)
      this.#terminal.print(
        `  ${name.padEnd(wide)}  ${String(_meta?.safetyClass).padEnd(13)}  ${title ?? ''}`,
      );
    this.#terminal.print('\nResources (npm run mcp -- read ADDRESS):');
    const addresses = [
      ...resources.map(({ uri, title }) => [uri, title] as const),
      ...resourceTemplates.map(({ uriTemplate, title }) => [uriTemplate, title] as const),
    ];
    const widest = Math.max(...addresses.map(([address]) => address.length));
    for (const [address, title] of addresses)
      this.#terminal.print(`  ${address.padEnd(widest)}  ${title ?? ''}`);
  }

  /** @throws Mendable as the platform refuses */
  async call(name: string, { json, pairs, token }: CallOptions): Promise<void> {
    const given = readArguments(await this.#toolNamed(name), json, pairs);
    const content = await this.#do(
      name,
      token === undefined ? given : { ...given, confirmationToken: token },
    );
    if (content.status !== 'confirmation_required') {
      this.#show(content);
      return;
    }
    const { summary, confirmationToken, expiresAt } = content;
    this.#terminal.print(String(summary));
    const { ask } = this.#terminal;
    if (ask === undefined) {
      this.#terminal.print(
        `\nNothing was done yet. Until ${expiresAt}, the same call with this does it:\n  --confirm ${confirmationToken}`,
      );
    } else if (await ask('Do it?')) this.#show(await this.#do(name, { ...given, confirmationToken }));
    else this.#terminal.print('Nothing was done.');
  }

  /** @throws Mendable for an address of nothing, and as the platform refuses */
  async read(uri: string): Promise<void> {
    try {
      const { contents } = await this.#client.readResource({ uri });
      for (const content of contents)
        this.#terminal.print('text' in content ? indented(parsed(content.text)) : content.uri);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      if (Object(error.data).code !== undefined) throw refusal(error.data);
      throw new Mendable(`There is no resource ${uri}. "npm run mcp -- list" names all of them.`);
    }
  }

  async #toolNamed(name: string): Promise<Tool> {
    const { tools } = await this.#client.listTools();
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined)
      throw new Mendable(`There is no tool ${name}. "npm run mcp -- list" names all of them.`);
    return tool;
  }

  async #do(
    name: string,
    given: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { isError, structuredContent } = await this.#client.callTool({ name, arguments: given });
    if (isError) throw refusal(structuredContent);
    return Object(structuredContent);
  }

  #show({ message, data }: Readonly<Record<string, unknown>>): void {
    this.#terminal.print(String(message));
    if (data !== undefined && data !== null) this.#terminal.print(indented(data));
  }
}
