// The request and the events of a chat.

/** A tool that the model may call. */
export interface ChatTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ChatToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the vendor of the model wants back with the call in the next request. */
  readonly extraContent?: unknown;
}

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls?: readonly ChatToolCall[] | undefined;
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ChatTool[] | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Ends the chat at any time, with the event `end` and the reason `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** Why an endpoint gave no answer, or no whole one. */
export type ChatFailure =
  /** No text and no tool call within the deadline. */
  | 'timeout'
  /** The answer stopped in the middle. */
  | 'stalled'
  /** The deadline of the whole turn passed. */
  | 'overallTimeout'
  | 'rateLimited'
  | 'serverError'
  /** The key is wrong, may not use the model, or has no money left. */
  | 'unauthorized'
  | 'unknownModel'
  /** The endpoint does not accept this request, such as one that is longer than the model's window. */
  | 'rejected'
  /** HTML, broken JSON, a redirect, or a stream that is none. */
  | 'invalidResponse'
  /** The answer is whole and has neither text nor tool calls. */
  | 'empty'
  | 'tooLarge'
  /** No connection, or it broke off. */
  | 'unreachable'
  /** The guarded egress does not allow the address. */
  | 'notAllowed'
  /** The endpoint failed a moment ago and was not called. */
  | 'breakerOpen';

export type InvalidToolCall =
  /** The tool is not among those of the request. */
  | 'unknownTool'
  | 'notJson'
  | 'notAnObject'
  | 'tooLong'
  /** More tool calls than one answer may have. */
  | 'tooMany';

export type ChatEvent =
  | { readonly type: 'text'; readonly delta: string }
  | ({ readonly type: 'toolCall' } & ChatToolCall)
  | {
      readonly type: 'toolCallInvalid';
      readonly id: string;
      readonly name: string;
      readonly reason: InvalidToolCall;
      /** As the model wrote them, cut where they are too long. */
      readonly arguments: string;
    }
  | {
      readonly type: 'usage';
      readonly endpointId: string;
      readonly inputTokens: number;
      readonly outputTokens: number;
    }
  | { readonly type: 'fellBack'; readonly from: string; readonly to: string; readonly reason: ChatFailure }
  | {
      readonly type: 'error';
      /** The last endpoint; undefined where there was none to call. */
      readonly endpointId: string | undefined;
      readonly reason: ChatFailure | 'noEndpoint';
      /** The HTTP status of the endpoint, where it had one. */
      readonly status: number | undefined;
      /** Characters of text handed out before. */
      readonly textLength: number;
    }
  /** Always the last event. */
  | {
      readonly type: 'end';
      readonly reason: 'stop' | 'length' | 'toolCalls' | 'contentFilter' | 'aborted' | 'error';
    };
