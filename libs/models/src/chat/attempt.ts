// One request to one endpoint.
import type { Egress } from '@parlance/egress';
import OpenAI, { APIError } from 'openai';
import type { OpenAiEndpoint } from '../endpoints/endpoint.js';
import { eventStreamFetch, TransportFailure } from './event-stream.js';
import type { ChatEvent, ChatFailure, ChatRequest } from './events.js';
import { type ChatDeadlines, type ChatLimits, Deadline, type Timers } from './limits.js';
import { Chunk, endReasonOf, paramsOf } from './protocol.js';
import { reasonOfStatus } from './status.js';
import { ToolCalls } from './tool-calls.js';

export interface AttemptOptions {
  readonly egress: Pick<Egress, 'open'>;
  readonly deadlines: ChatDeadlines;
  readonly limits: ChatLimits;
  readonly timers: Timers;
  /** Of the turn: the caller gave up, or the deadline of the turn passed. */
  readonly signal: AbortSignal;
}

type EndReason = Extract<ChatEvent, { type: 'end' }>['reason'];

export type AttemptOutcome =
  | { readonly kind: 'ended'; readonly reason: EndReason }
  | { readonly kind: 'aborted'; readonly textLength: number }
  | {
      readonly kind: 'failed';
      readonly reason: ChatFailure;
      readonly status: number | undefined;
      /** Characters of text handed out before. */
      readonly textLength: number;
    };

/** The words of the other side are never part of a failure. */
const failureOf = (error: unknown): { reason: ChatFailure; status: number | undefined } => {
  if (error instanceof TransportFailure) return { reason: error.reason, status: undefined };
  if (!(error instanceof APIError)) return { reason: 'invalidResponse', status: undefined };
  // An error inside a stream has no status.
  return { reason: error.status ? reasonOfStatus(error.status) : 'serverError', status: error.status };
};

const clientOf = (endpoint: OpenAiEndpoint, fetch: ReturnType<typeof eventStreamFetch>): OpenAI =>
  new OpenAI({
    baseURL: endpoint.baseUrl,
    apiKey: endpoint.apiKey?.reveal() ?? 'none',
    ...(endpoint.apiKey === undefined ? { defaultHeaders: { authorization: null } } : {}),
    // The client would take these from the environment, and send them to every vendor.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    fetch,
  });

/** What a piece of an answer adds to it. */
class Answer {
  readonly toolCalls: ToolCalls;
  finishReason: string | undefined;
  textLength = 0;

  constructor({ tools = [] }: ChatRequest, limits: ChatLimits) {
    this.toolCalls = new ToolCalls(tools, limits);
  }

  get hasContent(): boolean {
    return this.textLength > 0 || !this.toolCalls.isEmpty;
  }

  /** Vendors disagree about the reason of an answer that ends with tool calls. */
  get endReason(): EndReason {
    return this.toolCalls.isEmpty ? endReasonOf(this.finishReason ?? '') : 'toolCalls';
  }

  /** The text of the piece; the white space that an answer begins with is nothing to say. */
  add({ choices }: Chunk): { text: string; hasProgress: boolean } {
    const [choice] = choices ?? [];
    const deltas = choice?.delta?.tool_calls ?? [];
    for (const delta of deltas) this.toolCalls.add(delta);
    const content = (choice?.delta?.content ?? '') + (choice?.delta?.refusal ?? '');
    const text = this.textLength > 0 ? content : content.trimStart();
    this.textLength += text.length;
    this.finishReason ??= choice?.finish_reason ?? undefined;
    return { text, hasProgress: text !== '' || deltas.length > 0 };
  }
}

/** Reads a stream to its end in the background: only then can its connection serve the next request. */
const drain = async (rest: AsyncIterator<unknown>, cancel: () => void): Promise<void> => {
  try {
    while (!(await rest.next()).done);
  } catch {
    // The answer is whole already.
  } finally {
    cancel();
  }
};

/**
 * Hands out text as it comes, and tool calls when they are whole. The deadlines run only while the endpoint is waited for,
 * not while the reader of the events is busy.
 */
export async function* attempt(
  request: ChatRequest,
  endpoint: OpenAiEndpoint,
  { egress, deadlines, limits, timers, signal }: AttemptOptions,
): AsyncGenerator<ChatEvent, AttemptOutcome> {
  const abort = new AbortController();
  const giveUp = (): void => abort.abort();
  signal.addEventListener('abort', giveUp);
  if (signal.aborted) giveUp();
  let failure: ChatFailure | undefined;
  const deadline = new Deadline(timers);
  const expectWithin = (ms: number, reason: ChatFailure): void =>
    deadline.start(ms, () => {
      failure ??= reason;
      giveUp();
    });
  const fetch = eventStreamFetch({
    egress,
    maxBytes: limits.maxBytes,
    headTimeoutMs: deadlines.overallMs,
    onFailure: ({ reason }) => {
      if (!abort.signal.aborted) failure ??= reason;
    },
  });
  const answer = new Answer(request, limits);
  let usage: Chunk['usage'];
  let error: unknown;
  let rest: AsyncIterator<unknown> | undefined;
  try {
    expectWithin(endpoint.firstChunkMs ?? deadlines.firstChunkMs, 'timeout');
    const stream = await clientOf(endpoint, fetch).chat.completions.create(paramsOf(request, endpoint), {
      signal: abort.signal,
      timeout: deadlines.overallMs,
    });
    const iterator = stream[Symbol.asyncIterator]();
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      const chunk = Chunk.parse(next.value);
      usage = chunk.usage ?? usage;
      // The usage follows the end of the answer; vendors differ in whether the same piece has it.
      if (answer.finishReason !== undefined) {
        if (chunk.usage) break;
        continue;
      }
      const { text, hasProgress } = answer.add(chunk);
      const isFinished = answer.finishReason !== undefined;
      if (hasProgress || isFinished) deadline.stop();
      if (text !== '') yield { type: 'text', delta: text };
      if (isFinished) yield* answer.toolCalls.events();
      if (isFinished && chunk.usage) break;
      if (hasProgress || isFinished) expectWithin(deadlines.betweenChunksMs, 'stalled');
    }
    rest = iterator;
  } catch (caught) {
    error = caught;
  } finally {
    deadline.stop();
    signal.removeEventListener('abort', giveUp);
    if (rest === undefined) giveUp();
    else void drain(rest, timers.after(deadlines.betweenChunksMs, giveUp));
  }
  if (usage)
    yield {
      type: 'usage',
      endpointId: endpoint.id,
      inputTokens: usage.prompt_tokens,
      outputTokens: usage.completion_tokens,
    };
  // Whatever happens after the end of an answer does not make it less whole.
  if (answer.finishReason !== undefined && answer.hasContent)
    return { kind: 'ended', reason: answer.endReason };
  const { textLength } = answer;
  if (signal.aborted) return { kind: 'aborted', textLength };
  if (failure !== undefined) return { kind: 'failed', reason: failure, status: undefined, textLength };
  if (error !== undefined) return { kind: 'failed', ...failureOf(error), textLength };
  const reason = answer.finishReason === undefined ? 'invalidResponse' : 'empty';
  return { kind: 'failed', reason, status: undefined, textLength };
}
