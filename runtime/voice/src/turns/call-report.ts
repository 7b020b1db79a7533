// What is reported of one call: its turns, the times of each, and what it used. Turns and times are sent while the call lasts; the
// hand-over has all of it. A conversation never waits for a report.

import type { AnswerTimings, Fallback, ProgressEvent, TranscriptTurn } from '@parlance/contracts';
import type { CallSession, HandOver } from '@parlance/conversation';
import { ConversationRedactor, type RedactionOptions } from '@parlance/redaction';
import type { z } from 'zod';

type Turn = z.input<typeof TranscriptTurn>;
export type NewTurn = Omit<Turn, 'seq'>;
export type Usage = NonNullable<HandOver['usage']>[number];
type Event = z.input<typeof ProgressEvent>;
/** Each member of a union without its number and its time. */
type Unnumbered<E> = E extends unknown ? Omit<E, 'seq' | 'at'> : never;

/** Milliseconds, by the step of a turn that they measure. */
export interface TurnTimes {
  /** From the end of the caller's voice to the decision that the turn is over. */
  readonly end_of_turn?: number;
  readonly recognition?: number;
  /** From the end of the turn to the first words of the answer. */
  readonly first_token?: number;
  /** From the first words of the answer to its first sound. */
  readonly first_sound?: number;
  /** From the end of the caller's voice to the first sound of the answer. */
  readonly response?: number;
}

const mostAtOnce = 100;
const mostFallbacks = 10;

/** The steps without the recognition in the end of the turn, so that they add up to `response`. */
const timingsOf = ({ recognition, first_token, first_sound, response }: TurnTimes): AnswerTimings => {
  const rounded = (ms: number | undefined) => (ms === undefined ? undefined : Math.max(0, Math.round(ms)));
  const [recognitionMs, firstTokenMs, firstSoundMs] = [recognition, first_token, first_sound].map(rounded);
  const later = (recognitionMs ?? 0) + (firstTokenMs ?? 0) + (firstSoundMs ?? 0);
  const endOfTurnMs = response === undefined ? undefined : Math.max(0, Math.round(response) - later);
  return { endOfTurnMs, recognitionMs, firstTokenMs, firstSoundMs };
};

/** A model that recognized or spoke, and the one that it replaced. */
export interface AnsweredBy {
  readonly model: string;
  readonly fallback: Fallback | undefined;
}

/** What is known of a turn before the turn is over. */
interface Pending {
  model?: string;
  readonly fallbacks: Fallback[];
}

const isSame = (one: Fallback, other: Fallback): boolean =>
  one.kind === other.kind && one.from === other.from && one.to === other.to;

export const percentile = (values: readonly number[], share: number): number | null => {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
};

export interface CallReportOptions {
  /** What is hidden in the turns before any of them leaves the process; nothing by default. */
  readonly redaction?: RedactionOptions | undefined;
  /** Before a turn is sent. */
  readonly onTurn?: () => void;
}

export class CallReport {
  readonly #session: Pick<CallSession, 'report'>;
  readonly #onTurn: () => void;
  readonly #redactor: ConversationRedactor<Turn> | undefined;
  #added = 0;
  readonly #turns: Turn[] = [];
  readonly #times: TurnTimes[] = [];
  readonly #usage = new Map<string, Usage>();
  #heard: Pending = { fallbacks: [] };
  #spoken: Pending = { fallbacks: [] };
  #timings: AnswerTimings | undefined;
  #waiting: Event[] = [];
  #seq = 0;
  #sending: Promise<void> | undefined;

  constructor(
    session: Pick<CallSession, 'report'>,
    { redaction, onTurn = () => undefined }: CallReportOptions = {},
  ) {
    this.#session = session;
    this.#onTurn = onTurn;
    this.#redactor = redaction && new ConversationRedactor(redaction);
  }

  /** Redacted. One that ends in digits comes when the next turn has shown what they are; see `finish`. */
  get turns(): readonly Turn[] {
    return this.#turns;
  }

  /** @param isTyped a turn of the caller that nothing recognized */
  turn(added: NewTurn, { isTyped = false }: { readonly isTyped?: boolean } = {}): void {
    const turn: Turn = { seq: this.#added, ...added, ...this.#pendingOf(added, isTyped) };
    this.#added += 1;
    this.#keep(this.#redactor?.add(turn) ?? [turn]);
  }

  state(state: 'listening' | 'thinking' | 'speaking'): void {
    this.#send({ type: 'state', state });
  }

  /** Of the caller's next turn. */
  recognized(by: AnsweredBy): void {
    this.#note(this.#heard, by);
  }

  /** Of the agent's next turn. */
  spoke(by: AnsweredBy): void {
    this.#note(this.#spoken, by);
  }

  /** Of the agent's next turn. */
  times(times: TurnTimes): void {
    this.#timings = timingsOf(times);
    this.#times.push(times);
    for (const [name, ms] of Object.entries(times)) this.#send({ type: 'metric', name, ms });
  }

  metric(name: string, ms: number): void {
    this.#send({ type: 'metric', name, ms });
  }

  use(usage: Usage): void {
    const { kind, provider, model, unit, direction } = usage;
    const key = [kind, provider, model, unit, direction].join(' ');
    const quantity = (this.#usage.get(key)?.quantity ?? 0) + usage.quantity;
    this.#usage.set(key, { ...usage, quantity });
  }

  /** Members of the hand-over. */
  summary(): Pick<HandOver, 'usage' | 'latency'> {
    const of = (name: keyof TurnTimes): number[] =>
      this.#times.flatMap((times) => (times[name] === undefined ? [] : [Math.round(times[name])]));
    const response = of('response');
    return {
      usage: [...this.#usage.values()],
      latency:
        response.length === 0
          ? null
          : {
              e2eP50Ms: percentile(response, 0.5),
              e2eP95Ms: percentile(response, 0.95),
              llmP50Ms: percentile(of('first_token'), 0.5),
              ttsP50Ms: percentile(of('first_sound'), 0.5),
              sttP50Ms: percentile(of('recognition'), 0.5),
            },
    };
  }

  /** The conversation is over. Resolves when nothing waits to be sent. */
  async finish(): Promise<void> {
    this.#keep(this.#redactor?.end() ?? []);
    await this.#sending;
  }

  #keep(turns: readonly Turn[]): void {
    for (const turn of turns) {
      this.#turns.push(turn);
      this.#onTurn();
      this.#send({ type: 'turn', turn });
    }
  }

  #note(pending: Pending, { model, fallback }: AnsweredBy): void {
    pending.model = model;
    if (fallback !== undefined && !pending.fallbacks.some((one) => isSame(one, fallback)))
      pending.fallbacks.push(fallback);
  }

  /** What was noted for this turn; a turn of the caller begins the next answer. */
  #pendingOf({ role, fallbacks = [] }: NewTurn, isTyped: boolean): Partial<NewTurn> {
    if (role === 'system' || role === 'tool') return {};
    const isUser = role === 'user';
    const { model, fallbacks: noted } = isUser ? this.#heard : this.#spoken;
    const timings = this.#timings;
    this.#timings = undefined;
    if (isUser) this.#heard = { fallbacks: [] };
    else this.#spoken = { fallbacks: [] };
    if (isTyped) return {};
    const all = [...fallbacks, ...noted].slice(0, mostFallbacks);
    return {
      ...(model !== undefined && { [isUser ? 'sttModel' : 'ttsModel']: model }),
      ...(all.length > 0 && { fallbacks: all }),
      ...(!isUser && timings && { timings }),
    };
  }

  #send(event: Unnumbered<Event>): void {
    this.#waiting.push({ ...event, seq: this.#seq, at: new Date().toISOString() } as Event);
    this.#seq += 1;
    this.#sending ??= this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const events = this.#waiting.slice(0, mostAtOnce);
      this.#waiting = this.#waiting.slice(mostAtOnce);
      await this.#session.report(events).catch(() => undefined);
    }
    this.#sending = undefined;
  }
}
