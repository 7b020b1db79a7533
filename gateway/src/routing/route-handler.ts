// One request through one operation: may you, is it well formed, has it been done before, do it, say so.
import {
  type Data,
  type Input,
  isReleased,
  isStreaming,
  type Operation,
  type StreamingRow,
  takesIdempotencyKey,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { bodyReader, defaultBodyLimit, inputParser, readJson } from '@parlance/http';
import { stringifyJson } from '@parlance/json';
import type { Logger } from '@parlance/observability';
import {
  type EventStream,
  parseData,
  type RpcClient,
  type RpcContext,
  type SentEvent,
  type UnparsedAnswer,
} from '@parlance/rpc';
import type { Request, RequestHandler, Response } from 'express';
import type { Access, AccessControl } from '../auth/access.js';
import type { Composers } from '../composition/composers.js';
import { envelope, sendJson } from '../http/answer.js';
import { deprecationHeaders, setDeprecationHeaders } from '../http/deprecation.js';
import { sendDownload } from '../http/download.js';
import { logFailure } from '../http/error-response.js';
import { type EventStreamOptions, sendEventStream } from '../http/event-stream.js';
import { type Idempotency, parseIdempotencyKey } from '../idempotency/idempotency.js';
import type { StoredAnswer } from '../idempotency/idempotency-store.js';
import { setConcurrencyHeaders, setLimitHeaders } from '../limits/limit-headers.js';
import { assertAllowed, type LimitName, type RateLimits } from '../limits/rate-limits.js';
import type { StreamRequest } from '../live/open-live-stream.js';

export interface RouteOptions {
  readonly access: AccessControl;
  readonly limits: RateLimits;
  readonly idempotency: Idempotency;
  readonly rpc: RpcClient;
  readonly logger: Logger;
  readonly validateResponses: boolean;
  /** The time limit of a request, without the time that its body takes to arrive. */
  readonly answerWithinMs: number;
  /** Answers of the operations that the gateway serves itself, by operation id. */
  readonly ownHandlers: Readonly<Record<string, OwnHandler>>;
  readonly composers: Composers;
  /** Streamed answers that the gateway makes itself, by operation id. */
  readonly ownStreams: Readonly<Record<string, (asked: StreamRequest) => OwnStream>>;
}

/** The input is what the row's own schemas made of the request. */
type OwnHandler = (
  access: Access,
  input: Input<Operation>,
  context: RpcContext,
) => Data<Operation> | Promise<Data<Operation>>;

/** The handler of an operation that the gateway answers itself, typed by the row. */
export const answering = <T extends Operation>(
  { id }: T,
  answer: (input: Input<T>, context: RpcContext) => Promise<Data<T>>,
): Readonly<Record<string, OwnHandler>> => ({
  // The types of a single row are those of its schemas, which made the input.
  [id]: (_, input, context) => answer(input as Input<T>, context),
});

/** A streamed answer that may be taken up again. */
interface OwnStream extends EventStream {
  idleId(): string | undefined;
}

interface Work {
  /** Epoch milliseconds by which there should be an answer. */
  readonly deadline: number;
  readonly access: Access;
  readonly input: ReturnType<ReturnType<typeof inputParser>>;
  readonly requestId: string;
  readonly commandId?: string;
}

/** The least time for a service, even after a slow identification of the caller. */
const leastPatienceMs = 500;

const requireAccepted = (request: Request, type: string): void => {
  const { accept } = request.headers;
  if (accept === undefined || accept === '*/*' || accept === type) return;
  if (request.accepts(type) === false) throw new AppError('NOT_ACCEPTABLE');
};

const contentTypeOf = (row: Operation): string =>
  row.download?.contentType ?? (isStreaming(row) ? 'text/event-stream' : 'application/json');

const hasField = (body: unknown, field: string): boolean =>
  typeof body === 'object' && body !== null && Reflect.get(body, field) !== undefined;

const toJson = (data: unknown): Buffer => Buffer.from(stringifyJson(data) ?? '');

/** An answer that is ready to go. */
interface Finished {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * Answers are held to the schema, which strips unnamed fields. An answer that does not fit is a bug of the platform,
 * not the caller's.
 */
const fitting = ({ id }: Operation, schema: Operation['data'], data: unknown): unknown => {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`);
  throw new AppError('INTERNAL_ERROR', {
    cause: new Error(`the answer of ${id} does not fit its schema: ${issues.slice(0, 10).join(', ')}`),
  });
};

const validated = (row: Operation, json: Uint8Array): Uint8Array =>
  toJson(fitting(row, row.data, parseData(json)));

const validatedEvent = (row: StreamingRow, { event, data }: SentEvent): unknown => {
  const schema = row.stream[event];
  if (schema !== undefined) return fitting(row, schema, data);
  throw new AppError('INTERNAL_ERROR', { cause: new Error(`${row.id} has no event ${event}`) });
};

export class RouteHandler {
  readonly #row: Operation;
  readonly #options: RouteOptions;
  readonly #authorize: ReturnType<AccessControl['authorizerFor']>;
  readonly #parse: ReturnType<typeof inputParser>;
  readonly #read: ReturnType<typeof bodyReader>;
  readonly #answerWithinMs: number;
  readonly #takesBody: boolean;
  readonly #takesIdempotencyKey: boolean;
  readonly #deprecation: ReturnType<typeof deprecationHeaders>;

  constructor(row: Operation, options: RouteOptions) {
    this.#row = row;
    this.#options = options;
    this.#authorize = options.access.authorizerFor(row);
    this.#parse = inputParser(row);
    this.#read = bodyReader(row.bodyLimitBytes ?? defaultBodyLimit);
    this.#answerWithinMs = Math.max(options.answerWithinMs, row.answerWithinMs ?? 0);
    this.#takesBody = row.method === 'POST' || row.method === 'PUT' || row.method === 'PATCH';
    this.#takesIdempotencyKey = takesIdempotencyKey(row);
    this.#deprecation = deprecationHeaders(row);
  }

  readonly handle: RequestHandler = async (request, response) => {
    const startedAt = Date.now();
    response.locals.route = this.#row.id;
    setDeprecationHeaders(response, this.#deprecation);
    const access = await this.#authorize(request);
    const { organizationId, actor } = access.caller;
    if (organizationId !== '') response.locals.organizationId = organizationId;
    response.locals.actor = `${actor.type}:${actor.id}`;
    await this.#answer(request, response, access, startedAt);
  };

  async #answer(request: Request, response: Response, access: Access, startedAt: number): Promise<void> {
    const key = this.#takesIdempotencyKey
      ? parseIdempotencyKey(request.headers['idempotency-key'])
      : undefined;
    // An operation without a service leaves no record under the key: the key is still free when the service comes.
    const isServed = isReleased(this.#row);
    const { bucket, repeats } = this.#row;
    if (key === undefined || !isServed) await this.#count(response, access, repeats?.bucket ?? bucket);
    requireAccepted(request, contentTypeOf(this.#row));
    const readingFrom = Date.now();
    const input = await this.#input(request, response);
    if (repeats !== undefined && !hasField(input.body, repeats.field))
      await this.#count(response, access, bucket);
    if (!isServed) throw new AppError('NOT_IMPLEMENTED');
    const deadline = startedAt + this.#answerWithinMs + (Date.now() - readingFrom);
    const work = { deadline, access, input, requestId: response.locals.requestId };
    if (isStreaming(this.#row)) return this.#stream(request, response, this.#row, work);
    const answer =
      key === undefined ? await this.#work(response, work) : await this.#once(response, key, work);
    sendJson(response, answer.status, answer.body);
  }

  async #input(request: Request, response: Response): Promise<Work['input']> {
    const body = this.#takesBody ? await readJson(this.#read, request, response) : undefined;
    const query = request.url.includes('?') ? request.query : {};
    return this.#parse({ params: request.params, query, body: this.#withHeaderFields(request, body) });
  }

  /** The body with the fields that came in headers; a field of the body itself decides. */
  #withHeaderFields({ headers }: Request, body: unknown): unknown {
    const fields = Object.entries(this.#row.headerFields ?? {}).flatMap(([header, field]) => {
      const value = headers[header];
      return typeof value === 'string' ? [[field, value] as const] : [];
    });
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    if (fields.length === 0 || (body !== undefined && !isObject)) return body;
    return { ...Object.fromEntries(fields), ...body };
  }

  // An answer out of the record costs no service anything. So it counts as a read, and only after it is known.
  async #once(response: Response, key: string, work: Work): Promise<StoredAnswer> {
    const id = { organizationId: work.access.caller.organizationId, route: this.#row.id, key };
    let claimed = false;
    const once = this.#options.idempotency.once({
      id,
      input: work.input,
      isConfidential: this.#row.confidential === true,
      requestId: work.requestId,
      work: async (commandId) => {
        claimed = true;
        await this.#count(response, work.access, this.#row.bucket);
        const { status, body } = await this.#work(response, { ...work, commandId });
        return { status, body: body.toString() };
      },
    });
    try {
      const { answer, replayed } = await once;
      if (replayed) {
        await this.#count(response, work.access, 'read');
        response.setHeader('Idempotent-Replayed', 'true');
      }
      return answer;
    } catch (error) {
      if (!claimed) await this.#count(response, work.access, 'read');
      throw error;
    }
  }

  async #count(response: Response, { subjects }: Access, bucket: LimitName | 'none'): Promise<void> {
    if (bucket === 'none') return;
    const state = await this.#options.limits.count(bucket, subjects);
    setLimitHeaders(response, state);
    assertAllowed(state);
  }

  async #work(response: Response, work: Work): Promise<Finished> {
    const { success, repeatedSuccess, message } = this.#row;
    const { json, nextCursor, concurrency, ...reply } = await this.#dispatch(work);
    if (concurrency !== undefined) setConcurrencyHeaders(response, concurrency);
    return {
      status: reply.repeated === true ? (repeatedSuccess ?? success) : success,
      body: envelope({
        message: reply.message ?? message,
        json: this.#options.validateResponses ? validated(this.#row, json) : json,
        ...(nextCursor === undefined ? {} : { nextCursor }),
      }),
    };
  }

  /** Refusals before the first event are thrown, and answered as those of any other row. */
  async #stream(request: Request, response: Response, row: StreamingRow, work: Work): Promise<void> {
    const { access, input } = work;
    const own = this.#options.ownStreams[row.id]?.({
      ...{ request, access, query: input.query, authorize: this.#authorize },
    });
    const stream = own ?? (await this.#options.rpc.open(row, input, await this.#context(work)));
    // The head of a stream without an end says all that it ever will.
    if (own !== undefined && request.method === 'HEAD') own.cancel();
    // The length of a reader's stay is no measure of the platform's speed.
    if (own !== undefined) response.locals.isOpenEnded = true;
    const options: EventStreamOptions = {
      dataOf: (event) => (this.#options.validateResponses ? validatedEvent(row, event) : event.data),
      onFailure: (error) => logFailure(this.#options.logger, error),
      ...(own === undefined ? {} : { idleId: () => own.idleId() }),
    };
    const { download } = row;
    if (download === undefined) await sendEventStream(response, row.success, stream, options);
    else await sendDownload(response, download, stream, options);
  }

  async #dispatch(work: Work): Promise<UnparsedAnswer> {
    const { rpc, ownHandlers, composers } = this.#options;
    const own = ownHandlers[this.#row.id];
    const context = await this.#context(work);
    if (own !== undefined) return { json: toJson(await own(work.access, work.input, context)) };
    const composed = await composers[this.#row.id]?.(work.input, context);
    const input = composed === undefined ? work.input : { ...work.input, composed };
    return rpc.dispatch(this.#row, input as Input<Operation>, context);
  }

  async #context({ deadline, access, requestId, commandId }: Work): Promise<RpcContext> {
    return {
      caller: access.caller,
      requestId,
      deadline: Math.max(deadline, Date.now() + leastPatienceMs),
      ...(commandId === undefined ? {} : { commandId }),
    };
  }
}
