// A session with one MCP server: the handshake, lists of tools, and calls. Each exchange has its own deadline, and fails alone.
import {
  Client,
  ProtocolError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Tool,
} from '@modelcontextprotocol/client';
import type { Egress } from '@parlance/egress';
import { withDoubles, withTokens } from '@parlance/json';
import { Masking } from '@parlance/webhooks';
import { Answers } from './answers.js';
import type { Authorization, Credentials } from './authorization.js';
import { Exchange } from './conversation.js';
import { asMcpFailure, McpFailure } from './failures.js';
import { guardedFetch } from './guarded-fetch.js';
import { cutBelow } from './json.js';
import { callLimits, listLimits, type StreamLimits } from './meter.js';
import { type Listing, readPages } from './pages.js';

export interface ServerAddress {
  readonly url: string;
  readonly transport: 'streamable_http' | 'sse';
}

export interface SessionOptions {
  readonly egress: Pick<Egress, 'open'>;
  readonly authorization: Authorization;
  readonly address: ServerAddress;
  readonly timeoutMs: number;
  /** The server says that its tools have changed. */
  readonly onToolsChanged: () => void;
}

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly protocolVersion: string;
}

/** A tool as it is called: its schema says which arguments the protocol repeats as headers. */
export interface CalledTool {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** The tools of a server, as it lists them. */
export interface ListedTools extends Listing {
  /** The protocol of 2026 repeats some arguments as headers, and allows output of any type. */
  readonly isModern: boolean;
}

/** The result of a tool as the server sent it, or the words of a server that refused the call. */
export type ToolOutcome =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly message: string };

type Json = Parameters<Masking['json']>[0];

/** No schema or result that is used is nested deeper. */
const deepest = 64;
const goodbyeMs = 2_000;
const mostReconnections = 2;
const textLimit = 200;

const shortened = (text: string): string => text.replace(/\p{C}/gu, '').slice(0, textLimit);

export class Session {
  readonly #client: Client;
  readonly #transport: StreamableHTTPClientTransport | SSEClientTransport;
  readonly #secrets = new Set<string>();
  readonly #answers = new Answers();
  #masking = new Masking([]);
  #exchanges = new Set<Exchange>();
  #isUsable = true;
  #timeouts = 0;

  private constructor({ egress, authorization, address, onToolsChanged }: SessionOptions) {
    const isStreamable = address.transport === 'streamable_http';
    const url = new URL(address.url);
    const fetch = guardedFetch({
      egress,
      origin: url.origin,
      authorization,
      answers: this.#answers,
      onCredentials: (credentials) => this.#remember(credentials),
      onStandingEnd: (failure) => {
        // A server of the older transport answers on this stream alone.
        if (!isStreamable) this.#end(failure);
      },
    });
    this.#transport = isStreamable
      ? new StreamableHTTPClientTransport(url, {
          fetch,
          reconnectionOptions: {
            ...{ maxRetries: mostReconnections, initialReconnectionDelay: 1_000 },
            ...{ maxReconnectionDelay: 10_000, reconnectionDelayGrowFactor: 2 },
          },
        })
      : new SSEClientTransport(url, { fetch });
    this.#client = new Client(
      { name: 'parlance', version: '1' },
      {
        capabilities: {},
        // A server of the older transport is older than the probe, and may never answer it.
        versionNegotiation: { mode: isStreamable ? 'auto' : 'legacy' },
        inputRequired: { autoFulfill: false },
        listChanged: { tools: { autoRefresh: false, onChanged: onToolsChanged } },
      },
    );
    this.#client.onclose = () => {
      this.#isUsable = false;
    };
    // Exchanges hear of the failures of their requests; a notification that cannot be read does no harm.
    this.#client.onerror = () => undefined;
  }

  /** @throws McpFailure */
  static async open(options: SessionOptions): Promise<Session> {
    const session = new Session(options);
    try {
      await session.#exchange(options.timeoutMs, listLimits, ({ leftMs }) =>
        session.#client.connect(session.#transport, { timeout: leftMs }),
      );
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /** False when the next exchange needs another session. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  get server(): ServerInfo {
    const { name = 'unknown', version = 'unknown' } = this.#client.getServerVersion() ?? {};
    const protocolVersion = this.#client.getNegotiatedProtocolVersion() ?? 'unknown';
    return {
      name: shortened(name),
      version: shortened(version),
      protocolVersion: shortened(protocolVersion),
    };
  }

  /** All tools of the server, without secrets that it sent back. @throws McpFailure */
  async listTools(timeoutMs: number): Promise<ListedTools> {
    const isModern = this.#client.getProtocolEra() === 'modern';
    if (this.#client.getServerCapabilities()?.tools === undefined)
      return { isModern, tools: [], incomplete: undefined };
    const listing = await this.#exchange(timeoutMs, listLimits, ({ leftMs }) =>
      readPages((cursor) => this.#page(cursor, leftMs)),
    );
    // The schemas bound numbers, and their hashes stay those that were approved: they are read as doubles.
    return { isModern, ...listing, tools: listing.tools.map((tool) => this.#masked(withDoubles(tool))) };
  }

  /** @throws McpFailure when the server did not answer; a refusal of the server is an outcome */
  async callTool(
    { name, inputSchema }: CalledTool,
    args: Readonly<Record<string, unknown>>,
    timeoutMs: number,
  ): Promise<ToolOutcome> {
    // The output schema stays out, because the client would compile a stranger's schema into code.
    const toolDefinition: Tool = { name, inputSchema: { ...inputSchema, type: 'object' } };
    try {
      const result = await this.#exchange(timeoutMs, callLimits, async ({ leftMs }) =>
        this.#answers.valueOf(
          await this.#client.callTool(
            { name, arguments: withTokens(args) as Record<string, unknown> },
            { timeout: leftMs, maxTotalTimeout: leftMs, toolDefinition },
          ),
        ),
      );
      return { kind: 'result', result: this.#masked(result) };
    } catch (error) {
      const { cause } = asMcpFailure(error);
      if (cause instanceof ProtocolError)
        return { kind: 'refused', message: this.#masking.text(cause.message) };
      throw error;
    }
  }

  /** Ends the session at the server too, if the server answers within two seconds. Never fails. */
  async close(): Promise<void> {
    const wasUsable = this.#isUsable;
    this.#isUsable = false;
    const transport = this.#transport;
    if (wasUsable && transport instanceof StreamableHTTPClientTransport) {
      await new Exchange(goodbyeMs, callLimits)
        .run(() => transport.terminateSession())
        .catch(() => undefined);
    }
    await this.#client.close().catch(() => undefined);
    // A client that never finished its handshake does not know its transport.
    await transport.close().catch(() => undefined);
  }

  async #exchange<T>(
    timeoutMs: number,
    limits: StreamLimits,
    work: (exchange: Exchange) => Promise<T>,
  ): Promise<T> {
    const exchange = new Exchange(timeoutMs, limits);
    this.#exchanges.add(exchange);
    try {
      const outcome = await exchange.run(() => work(exchange));
      this.#timeouts = 0;
      return outcome;
    } catch (error) {
      const failure = asMcpFailure(error);
      this.#judge(failure);
      throw failure;
    } finally {
      this.#exchanges.delete(exchange);
    }
  }

  /** One late answer says nothing about the session; a second one in a row does. */
  #judge({ reason, cause }: McpFailure): void {
    if (reason === 'timeout') this.#timeouts += 1;
    const isOver = reason === 'unreachable' || reason === 'session_lost' || reason === 'auth_required';
    if (isOver || (reason === 'bad_response' && !(cause instanceof ProtocolError)) || this.#timeouts > 1)
      this.#isUsable = false;
  }

  /** @throws McpFailure; ProtocolError for a cursor that the server refuses */
  async #page(cursor: string | undefined, timeoutMs: number): Promise<unknown> {
    const params = cursor === undefined ? {} : { cursor };
    const request = { method: 'tools/list', params } as const;
    return this.#answers.valueOf(await this.#client.request(request, { timeout: timeoutMs }));
  }

  /** The value as the server sent it, with "•••" for every form of a secret, and not nested without end. */
  #masked(value: unknown): unknown {
    return this.#masking.json(cutBelow(deepest, value) as Json); // parsed from JSON
  }

  #end(failure: unknown): void {
    this.#isUsable = false;
    for (const exchange of this.#exchanges) exchange.answerLost(failure);
  }

  #remember({ secrets }: Credentials): void {
    const isKnown = secrets.every((secret) => this.#secrets.has(secret));
    if (isKnown) return;
    for (const secret of secrets) this.#secrets.add(secret);
    this.#masking = new Masking(this.#secrets);
  }
}
