// The answers of the agent, by rules in the place of a language model. A farewell ends the call, and words of a tool run
// it. Everything else is looked up in the documents of the agent.
import type { CallContext, CallSession, Passage, RuntimeConfig, Tool, Turn } from './protocol.js';

export interface Reply {
  readonly text: string;
  /** The agent hangs up after it has said this. */
  readonly isLast: boolean;
  readonly toolCall?: NonNullable<Turn['toolCall']>;
  readonly sources?: NonNullable<Turn['sources']>;
}

export interface DialogueOptions {
  readonly context: Pick<CallContext, 'dynamicVariables' | 'firstMessage'>;
  readonly found: Pick<RuntimeConfig, 'config' | 'tools' | 'knowledge'>;
  readonly session: Pick<CallSession, 'runTool' | 'searchKnowledge'>;
}

type Values = Readonly<Record<string, string>>;

const longestAnswer = 300;
const askingFor = 'Can you tell me the ';
const asksFor = new RegExp(`^${askingFor}`);
const farewell = /\b(good ?bye|bye|that (was|is) all|hang up)\b/i;
/** Words that say nothing about a subject. */
const common = new Set(
  'a about an and any are at can could do does for from get gives have how i in is it me my of on or please tell tells that the their there this to was what when where which who with you your'.split(
    ' ',
  ),
);

const wordsOf = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/[a-z]{2,}/g) ?? []).filter((word) => !common.has(word)));

const shared = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...one].filter((word) => other.has(word)).length;

/** Fills `{{name}}` and `{{name | fallback}}`. An empty value counts as none. */
export const fillVariables = (text: string, values: Values): string =>
  text.replaceAll(/\{\{\s*([\w.]+)\s*(?:\|\s*([^}]*?)\s*)?\}\}/g, (_, name: string, fallback = '') => {
    const value = values[name] ?? '';
    return value.trim() === '' ? fallback : value;
  });

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The value of a parameter: a named choice, a number, a code such as A-1001, or a variable of the call. */
const valueFor = (name: string, schema: unknown, text: string, values: Values): unknown => {
  const choices = member(schema, 'enum');
  if (Array.isArray(choices))
    return choices.find((choice) => text.toLowerCase().includes(String(choice).toLowerCase()));
  const number = /-?\d+(\.\d+)?/.exec(text)?.[0];
  switch (member(schema, 'type')) {
    case 'number':
    case 'integer':
      return number === undefined ? undefined : Number(number);
    case 'boolean':
      return !/\b(no|not)\b/i.test(text);
    case 'string':
      return /\b[A-Za-z]{0,4}-?\d[\w-]*\b/.exec(text)?.[0] ?? values[name];
    default:
      return undefined;
  }
};

/** order_id and orderId are both "order id". */
const inWords = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();

const spoken = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ').slice(0, longestAnswer);

const plain = (text: string): Reply => ({ text, isLast: false });

export class Dialogue {
  readonly #options: DialogueOptions;
  #values: Values;
  /** A tool that waits for an argument, and the words that were said for it. */
  #pending: { readonly tool: Tool; readonly said: string } | undefined;

  constructor(options: DialogueOptions) {
    this.#options = options;
    const defaults = Object.entries(options.found.config.variables).flatMap(([name, { default: value }]) =>
      value === null ? [] : [[name, value] as const],
    );
    this.#values = { ...Object.fromEntries(defaults), ...options.context.dynamicVariables };
  }

  opening(): string {
    const { context, found } = this.#options;
    return fillVariables(context.firstMessage ?? found.config.firstMessage, this.#values);
  }

  /** Takes up a conversation that another copy of the runtime may have held so far: a tool may wait for an argument. */
  resume(turns: readonly Pick<Turn, 'role' | 'text'>[]): void {
    for (const [index, { role, text }] of turns.entries()) {
      if (role !== 'user') continue;
      const said = this.#pending === undefined ? text : `${this.#pending.said} ${text}`;
      const tool = this.#pending?.tool ?? this.#toolFor(text);
      const isAskedFor = turns[index + 1]?.role === 'agent' && asksFor.test(turns[index + 1]?.text ?? '');
      this.#pending = tool !== undefined && isAskedFor ? { tool, said } : undefined;
    }
  }

  async answer(text: string): Promise<Reply> {
    if (farewell.test(text)) return { text: 'Thank you for the call. Goodbye.', isLast: true };
    const pending = this.#pending;
    this.#pending = undefined;
    const tool = pending?.tool ?? this.#toolFor(text);
    if (tool !== undefined) return this.#use(tool, pending === undefined ? text : `${pending.said} ${text}`);
    if (this.#options.found.knowledge.mode === 'auto') return this.#lookUp(text);
    return plain('I am sorry, I cannot help with that.');
  }

  /** The tool that shares the most words with the question; none where no word is shared. */
  #toolFor(text: string): Tool | undefined {
    const asked = wordsOf(text);
    const scored = this.#options.found.tools.map((tool) => ({
      tool,
      score: shared(asked, wordsOf(`${inWords(tool.name)} ${tool.description}`)),
    }));
    const [best] = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
    return best?.tool;
  }

  async #use(tool: Tool, said: string): Promise<Reply> {
    const required = member(tool.parameters, 'required');
    const names = Array.isArray(required) ? required.map(String) : [];
    const properties = member(tool.parameters, 'properties');
    const given = Object.fromEntries(
      names.map((name) => [name, valueFor(name, member(properties, name), said, this.#values)]),
    );
    const missing = names.find((name) => given[name] === undefined);
    if (missing !== undefined) {
      this.#pending = { tool, said };
      return plain(`${askingFor}${inWords(missing)}?`);
    }
    return this.#run(tool, given);
  }

  async #run(tool: Tool, given: Readonly<Record<string, unknown>>): Promise<Reply> {
    const ran = await this.#options.session.runTool(tool.name, given).catch(() => undefined);
    const isDone = ran !== undefined && !ran.isError;
    this.#values = { ...this.#values, ...ran?.assignments };
    return {
      ...plain(
        isDone ? `The system says: ${spoken(ran.result)}` : 'I am sorry, the system gives me no answer.',
      ),
      toolCall: {
        ...{ toolId: null, name: tool.name, arguments: given, result: ran?.result ?? null },
        ...{ status: isDone ? ('ok' as const) : ('error' as const), durationMs: ran?.durationMs ?? 0 },
      },
    };
  }

  async #lookUp(text: string): Promise<Reply> {
    const passages: readonly Passage[] = await this.#options.session.searchKnowledge(text).catch(() => []);
    const [best] = passages;
    if (best === undefined) return plain('I am sorry, our documents say nothing about that.');
    const sources = passages.map(({ knowledgeSourceId, chunkId, score }) => ({
      ...{ knowledgeSourceId, chunkId, score },
    }));
    return { ...plain(`Our documents say: ${spoken(best.text)}`), sources };
  }
}
