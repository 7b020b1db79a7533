// An answer of the model, as a test writes it.

export interface ScriptedToolCall {
  readonly name: string;
  /** An object, or the text that the model writes instead of one. */
  readonly arguments?: Readonly<Record<string, unknown>> | string;
}

export interface ScriptedAnswer {
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** `stop`, or `tool_calls` where there are some, unless given. */
  readonly finishReason?: 'stop' | 'length' | 'content_filter';
}

export type Answer = string | ScriptedAnswer;
