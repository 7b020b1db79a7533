// Conversations in text: the platform posts each message to `/text-turns`, with the conversation so far. Nothing is kept
// between two messages, so any replica of the runtime answers the next one.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { TextTurnRequest, type textTurnEvents } from '@parlance/contracts';
import type { OrganizationModels } from '@parlance/models';
import type { z } from 'zod';
import type { LanguageModel } from '../dialogue/chat.js';
import { Conversation } from '../engine/conversation.js';
import { CallSession } from '../platform/call-session.js';
import { modelsOfCall } from '../platform/organization-models.js';
import type { Platform } from '../platform/platform.js';
import { redactedError, redactionOfCall } from '../redaction/of-call.js';

/** A logger of the shape of pino's. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface TextTurnOptions {
  readonly platform: Pick<Platform, 'configuration' | 'models'>;
  readonly internalKey: string;
  readonly log: Log;
  /** The model of an agent's `llmModel`; undefined where none is configured. */
  readonly modelFor?: (
    llmModel: string,
    organization: OrganizationModels | undefined,
  ) => LanguageModel | undefined;
  /** Answers at the same time; a further message is answered 429. */
  readonly mostAtOnce?: number;
  readonly secrets?: readonly string[];
}

/** The platform sends two mebibytes of turns at most. */
const mostBytes = 4 * 1_024 * 1_024;
const usualMostAtOnce = 100;
const retryAfterSeconds = 2;

/** The platform closes the connection after 90 seconds. */
const answerLimitMs = 90_000;

type Events = { readonly [Name in keyof typeof textTurnEvents]: z.input<(typeof textTurnEvents)[Name]> };

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const isKey = (given: unknown, key: string): boolean =>
  typeof given === 'string' && timingSafeEqual(digest(given), digest(key));

/** Undefined for a body that is too long. */
const bodyOf = async (request: IncomingMessage): Promise<string | undefined> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > mostBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
};

const parsed = (body: string): TextTurnRequest | undefined => {
  try {
    return TextTurnRequest.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
};

const refuse = (response: ServerResponse, status: number, reason: string): void => {
  const headers = {
    'content-type': 'application/json',
    ...(status === 429 && { 'retry-after': String(retryAfterSeconds) }),
  };
  response.writeHead(status, headers).end(JSON.stringify({ error: reason }));
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

class Answer {
  readonly #options: TextTurnOptions;
  readonly #response: ServerResponse;
  readonly #signal: AbortSignal;
  /** Of the errors that are logged; known once the configuration is. */
  #redaction: ReturnType<typeof redactionOfCall>;

  constructor(options: TextTurnOptions, response: ServerResponse) {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the platform has closed the connection')));
    this.#options = options;
    this.#response = response;
    this.#signal = AbortSignal.any([gone.signal, AbortSignal.timeout(answerLimitMs)]);
  }

  async write(question: TextTurnRequest): Promise<void> {
    const { callId, agentId } = question.context;
    this.#response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    this.#response.flushHeaders();
    try {
      await this.#answer(question);
    } catch (error) {
      const err = redactedError(error, this.#redaction);
      if (!this.#signal.aborted) this.#options.log.warn({ err, callId, agentId }, 'text turn failed');
      this.#send('error', { message: messageOf(err) });
    }
    this.#response.end();
  }

  async #answer({ context, turns }: TextTurnRequest): Promise<void> {
    const { platform, log, modelFor, secrets = [], internalKey } = this.#options;
    const found = await platform.configuration(context, this.#signal);
    if (found === undefined) throw new Error('the platform has no configuration for the conversation');
    this.#redaction = redactionOfCall(context, found);
    const own = await modelsOfCall(platform, context, found, {
      signal: this.#signal,
      onFailure: (err) => log.warn({ err, callId: context.callId }, 'models of the organization not read'),
    });
    const conversation = new Conversation({
      context,
      found,
      session: new CallSession(context.callId, found.runtime),
      mode: 'text',
      model: modelFor?.(found.config.llmModel, own.models),
      secrets: [...secrets, ...own.secrets, internalKey],
    });
    conversation.resume(turns.slice(0, -1));
    const { brain, model } = conversation;
    const { llmModel } = found.config;
    const about = { callId: context.callId, agentId: context.agentId, brain, model, llmModel };
    log.info(about, 'text turn started');
    for await (const event of conversation.answer(turns.at(-1)?.text ?? '', { signal: this.#signal })) {
      switch (event.type) {
        case 'say':
          this.#send('text', { delta: event.delta });
          break;
        case 'tool':
        case 'turn':
          this.#send('turn', { turn: event.turn });
          break;
        case 'end':
          this.#send('end', { reason: event.reason });
          break;
        case 'fellBack':
          log.warn({ ...about, from: event.from, to: event.to, reason: event.reason }, 'model fell back');
          break;
        case 'usage':
        case 'sources':
          break;
        default:
          event satisfies never;
      }
    }
  }

  #send<Name extends keyof Events>(event: Name, data: Events[Name]): void {
    if (!this.#response.destroyed) this.#response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}

/** Answers `POST /text-turns` and `GET /health`. */
export const textTurnHandler = (options: TextTurnOptions): RequestListener => {
  const { internalKey, mostAtOnce = usualMostAtOnce } = options;
  let active = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path] = (request.url ?? '').split('?', 1);
    if (request.method === 'GET' && path === '/health') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ status: 'ok', answering: active }));
      return;
    }
    if (request.method !== 'POST' || path !== '/text-turns') return refuse(response, 404, 'no such path');
    if (!isKey(request.headers['x-internal-key'], internalKey))
      return refuse(response, 401, 'the internal key is wrong');
    if (active >= mostAtOnce) return refuse(response, 429, 'too many answers at the same time');
    active += 1;
    try {
      const body = await bodyOf(request);
      if (body === undefined) return refuse(response, 413, 'the body is too long');
      const question = parsed(body);
      if (question === undefined) return refuse(response, 400, 'the body is not a TextTurnRequest');
      await new Answer(options, response).write(question);
    } finally {
      active -= 1;
    }
  };
  return (request, response) => {
    answer(request, response).catch((err: unknown) => {
      options.log.warn({ err }, 'request failed');
      response.destroy();
    });
  };
};
