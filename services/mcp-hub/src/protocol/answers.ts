// Reads the answers of servers before the protocol's client does. The client's schemas are strict: one odd field of one tool
// would take away a whole list. So it gets an empty result in the place of a list of tools or the result of a tool. The value
// itself stays here, as the server sent it, and is read tolerantly by this service.
import { LosslessNumber, parseJson } from '@parlance/json';
import type { Exchange } from './conversation.js';
import { McpFailure } from './failures.js';
import { isObject, type JsonObject } from './json.js';

/** The member of a result's `_meta` that names the request whose value is kept here. */
const ticket = 'parlance/request';

/** Valid for every version of the protocol. */
const emptyResults: Readonly<Record<string, JsonObject>> = {
  'tools/list': { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' },
  'tools/call': { resultType: 'complete', content: [] },
};

const internalError = -32_603;

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise;

/** The part of a handshake that this service uses. */
const plainHandshake = (result: JsonObject): JsonObject => {
  const { protocolVersion, capabilities, serverInfo } = result;
  const { name, version } = isObject(serverInfo) ? serverInfo : {};
  // A server that says nothing of its capabilities may have tools.
  const { tools } = isObject(capabilities) ? capabilities : { tools: {} };
  const hasTools = tools !== undefined && tools !== null && tools !== false;
  const listChanged = isObject(tools) && String(tools.listChanged) === 'true';
  return {
    protocolVersion,
    capabilities: hasTools ? { tools: { listChanged } } : {},
    serverInfo: { name: textOr(name, 'unknown'), version: textOr(version, 'unknown') },
  };
};

const plainError = (error: unknown): JsonObject => {
  const { code, message, data } = isObject(error) ? error : { message: error };
  return {
    code: Number.isSafeInteger(code) ? code : internalError,
    message: textOr(message, 'The server gave no reason.'),
    ...(data !== undefined && { data }),
  };
};

export interface Request {
  readonly id: string | number;
  readonly method: string;
}

/** A request whose answer has not been used yet. */
interface Pending extends Request {
  answer?: { readonly value: unknown };
}

/** Some servers write 1.0 where the request had 1. */
const asId = (value: unknown): Request['id'] | undefined => {
  if (value instanceof LosslessNumber) return Number(value);
  return typeof value === 'number' || typeof value === 'string' ? value : undefined;
};

/** The request in a message of ours; undefined for a notification, and for an answer. */
export const requestIn = (body: string | undefined): Request | undefined => {
  const message: unknown = body === undefined ? undefined : JSON.parse(body);
  if (!isObject(message)) return undefined;
  const { method } = message;
  const id = asId(message.id);
  return id !== undefined && typeof method === 'string' ? { id, method } : undefined;
};

/** The answers of one session. */
export class Answers {
  /** By the id as text, because some servers answer "7" to 7. */
  readonly #pending = new Map<string, Pending>();

  /** Keeps the answer to this request for as long as its exchange lasts. */
  expect(request: Request, exchange: Pick<Exchange, 'atEnd'>): void {
    const id = String(request.id);
    this.#pending.set(id, { ...request });
    exchange.atEnd(() => this.#pending.delete(id));
  }

  /** The text of one message of the server, or of a batch, as the client gets it. A text that is no JSON stays as it is. */
  forClient(text: string): string {
    // Notifications come in floods, and need no look.
    if (!/"(?:result|error)"/.test(text)) return text;
    try {
      const message: unknown = parseJson(text);
      const plain = Array.isArray(message) ? message.map((one) => this.#plain(one)) : this.#plain(message);
      return plain === message ? text : JSON.stringify(plain);
    } catch {
      return text;
    }
  }

  /** The value that the server sent in the place of this result. @throws McpFailure */
  valueOf({ _meta: meta }: { readonly _meta?: JsonObject | undefined }): unknown {
    const kept = this.#pending.get(String(meta?.[ticket]));
    if (kept?.answer === undefined) throw new McpFailure('bad_response');
    return kept.answer.value;
  }

  #plain(message: unknown): unknown {
    if (!isObject(message) || 'method' in message) return message;
    const pending = this.#pending.get(String(asId(message.id)));
    if (pending === undefined) return message;
    const { id } = pending;
    const { result, error } = message;
    if (error !== undefined && error !== null) return { jsonrpc: '2.0', id, error: plainError(error) };
    if (result === undefined) return message;
    return { jsonrpc: '2.0', id, result: this.#plainResult(pending, result) };
  }

  #plainResult(pending: Pending, result: unknown): unknown {
    const empty = emptyResults[pending.method];
    if (empty !== undefined) {
      pending.answer = { value: result };
      return { ...empty, _meta: { [ticket]: pending.id } };
    }
    return pending.method === 'initialize' && isObject(result) ? plainHandshake(result) : result;
  }
}
