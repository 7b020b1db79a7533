// What the agent says: one utterance at a time, paused or cut off by the caller's voice, and written down as it was heard.
import type { Fallback } from '@parlance/contracts';
import type { CallClock } from './call-clock.js';
import type { CallReport, NewTurn } from './call-report.js';
import type { ConversationPort, Mouth, Utterance } from './ports.js';
import { TextStream } from './text-stream.js';

export interface AgentVoiceOptions {
  readonly mouth: Mouth;
  readonly report: CallReport;
  readonly conversation: Pick<ConversationPort, 'heard'>;
  readonly language: string;
  readonly clock: CallClock;
  /** A sentence without a sound is given up after this time. */
  readonly soundlessMs: number;
  readonly onSpeaking: () => void;
  /** No provider of speech is left. */
  readonly onError: () => void;
}

/** What a turn of the agent is recorded with. */
export interface Answer {
  model: string | null;
  fallbacks?: Fallback[];
  sources?: NonNullable<NewTurn['sources']>;
}

export interface Saying {
  readonly text: string | (() => string);
  readonly startMs: number;
  /** Undefined for words that no brain gave. It still grows. */
  readonly answer?: Answer;
  /** The end of the voice that this answers. */
  readonly askedAt?: number | undefined;
  /** False for a phrase of the runtime itself. */
  readonly isOfConversation?: boolean;
}

export class AgentVoice {
  readonly #options: AgentVoiceOptions;
  /** In the order in which they are spoken. */
  readonly #utterances = new Set<Utterance>();
  #isPaused = false;

  constructor(options: AgentVoiceOptions) {
    this.#options = options;
  }

  /** True from the first word of an utterance, with or without a sound of it. */
  get isSaying(): boolean {
    return this.#utterances.size > 0;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** What is left of the sentence that sounds. */
  remainingMs(): number | undefined {
    return [...this.#utterances].at(-1)?.remainingMs();
  }

  say(text: AsyncIterable<string>): Utterance {
    return this.#options.mouth.say(text);
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#options.mouth.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#options.mouth.resume();
  }

  interrupt(): void {
    for (const utterance of this.#utterances) utterance.interrupt();
    this.resume();
  }

  /** Says a phrase of the runtime itself. */
  async sayOnce(text: string): Promise<void> {
    const stream = new TextStream();
    stream.push(text);
    stream.close();
    const { clock } = this.#options;
    await this.finish(this.say(stream), { text, startMs: clock.nowMs(), isOfConversation: false });
  }

  /** Waits for the end of an utterance, and writes it down. */
  async finish(
    utterance: Utterance,
    { text, startMs, answer, askedAt, isOfConversation = true }: Saying,
  ): Promise<void> {
    const { report, conversation, language, clock, soundlessMs, onSpeaking, onError } = this.#options;
    this.#utterances.add(utterance);
    const watchdog = setTimeout(() => utterance.interrupt(), soundlessMs);
    const startedAt = await utterance.started;
    clearTimeout(watchdog);
    if (startedAt !== undefined) onSpeaking();
    const { spokenText, interrupted, error } = await utterance.done;
    this.#utterances.delete(utterance);
    const whole = (typeof text === 'string' ? text : text()).trim();
    if (whole !== '')
      report.turn({
        role: 'agent',
        text: whole,
        spokenText,
        interrupted,
        startMs: startedAt === undefined ? startMs : clock.msOf(startedAt),
        endMs: clock.nowMs(),
        language,
        latencyMs:
          startedAt === undefined || askedAt === undefined
            ? null
            : Math.max(0, Math.round(startedAt - askedAt)),
        ...answer,
      });
    if (isOfConversation) conversation.heard({ spokenText, interrupted });
    if (error !== undefined) onError();
  }
}
