// Tool calls as they come out of a stream: in pieces, several at once, and not always valid.
import { parseForeignJson } from '@parlance/egress';
import type { ChatEvent, ChatTool, InvalidToolCall } from './events.js';
import type { ChatLimits } from './limits.js';

export interface ToolCallDelta {
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  readonly function?:
    | { readonly name?: string | null | undefined; readonly arguments?: string | null | undefined }
    | null
    | undefined;
  readonly extra_content?: unknown;
}

interface Draft {
  id: string;
  name: string;
  arguments: string;
  isTooLong: boolean;
  extraContent: unknown;
}

const newDraft = (): Draft => ({
  id: '',
  name: '',
  arguments: '',
  isTooLong: false,
  extraContent: undefined,
});

/** Of names and ids, which nothing else bounds. */
const longestName = 256;

const parsed = (text: string): unknown => {
  try {
    // A tool without parameters is often called with no arguments at all.
    return text.trim() === '' ? {} : parseForeignJson(text);
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

export class ToolCalls {
  readonly #tools: ReadonlySet<string>;
  readonly #limits: ChatLimits;
  readonly #drafts: Draft[] = [];
  readonly #byIndex = new Map<number, Draft>();

  constructor(tools: readonly ChatTool[], limits: ChatLimits) {
    this.#tools = new Set(tools.map(({ name }) => name));
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#drafts.length === 0;
  }

  add({ index, id, function: part, extra_content: extraContent }: ToolCallDelta): void {
    const draft = this.#draftOf(index ?? undefined, id || undefined);
    draft.extraContent ??= extraContent;
    if (id) draft.id = id.slice(0, longestName);
    draft.name = (draft.name + (part?.name ?? '')).slice(0, longestName);
    const room = this.#limits.maxArgumentsLength - draft.arguments.length;
    const text = part?.arguments ?? '';
    draft.isTooLong ||= text.length > room;
    draft.arguments += text.slice(0, room);
  }

  /** One event for each tool call, in the order in which they began. */
  events(): ChatEvent[] {
    return this.#drafts.map((draft, position) => this.#eventOf(draft, position));
  }

  /** Some vendors send no index, and some the same one for several calls; a new id begins a new call in both cases. */
  #draftOf(index: number | undefined, id: string | undefined): Draft {
    const current = index === undefined ? this.#drafts.at(-1) : this.#byIndex.get(index);
    const isSame = id === undefined || current?.id === '' || current?.id === id;
    if (current !== undefined && isSame) return current;
    const draft = newDraft();
    this.#drafts.push(draft);
    if (index !== undefined) this.#byIndex.set(index, draft);
    return draft;
  }

  #eventOf(draft: Draft, position: number): ChatEvent {
    const { name, arguments: text } = draft;
    // Some vendors send no id; the answers to the calls need one.
    const id = draft.id || `call_${position}`;
    const invalid = (reason: InvalidToolCall): ChatEvent => ({
      type: 'toolCallInvalid',
      id,
      name,
      reason,
      arguments: text,
    });
    if (position >= this.#limits.maxToolCalls) return invalid('tooMany');
    if (!this.#tools.has(name)) return invalid('unknownTool');
    if (draft.isTooLong) return invalid('tooLong');
    const value = parsed(text);
    if (value === undefined) return invalid('notJson');
    if (!isObject(value)) return invalid('notAnObject');
    const { extraContent } = draft;
    const call = { type: 'toolCall', id, name, arguments: value } as const;
    return extraContent === undefined ? call : { ...call, extraContent };
  }
}
