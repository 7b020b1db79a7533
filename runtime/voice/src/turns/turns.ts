// Whose turn it is in a spoken conversation. The ear reports voice and words, the mouth speaks; this decides when the caller has
// finished, whether a voice over the agent's is an interruption, and what happens when nobody speaks.
import type { Fallback } from '@parlance/contracts';
import { type ConversationEvent, ModelUnavailable } from '@parlance/conversation';
import type { CallReport, NewTurn, TurnTimes } from './call-report.js';
import { Keypad } from './keypad.js';
import { logEvent } from './log.js';
import type { Phrases } from './phrases.js';
import { TextStream } from './text-stream.js';
import { isBackChannel, isDictation, isHanging } from './words.js';

export interface Spoken {
  /** The words that were heard. */
  readonly spokenText: string;
  readonly interrupted: boolean;
  /** Set when no provider of speech is left. */
  readonly error?: Error;
}

/** One utterance of the agent. */
export interface Utterance {
  /** The time of its first sound; undefined when it ended without one. */
  readonly started: Promise<number | undefined>;
  readonly done: Promise<Spoken>;
  /** Milliseconds of audio that are left to play; undefined while the text still grows. */
  remainingMs(): number | undefined;
  interrupt(): void;
}

export interface Mouth {
  say(text: AsyncIterable<string>): Utterance;
  /** Silence at once; what is left plays after `resume`. */
  pause(): void;
  resume(): void;
}

export interface ConversationPort {
  /** The language model that answers first; null where rules answer. */
  readonly model: string | null;
  opening(): string | Promise<string>;
  answer(text: string, options: { readonly signal: AbortSignal }): AsyncIterable<ConversationEvent>;
  heard(heard: { readonly spokenText: string; readonly interrupted: boolean }): void;
}

export type EndedReason =
  | 'agent_hangup'
  | 'user_hangup'
  | 'silence_timeout'
  | 'max_duration_reached'
  | 'error_stt'
  | 'error_tts'
  | 'error_llm'
  | 'error_runtime';

export interface Ending {
  readonly reason: string;
  readonly at: Date;
}

/** Voice that ended. */
export interface VoiceSegment {
  readonly voiceMs: number;
  /** Silence since its end. */
  readonly silenceMs: number;
  /** The words in it; empty for a noise. Rejects when no recognizer is left. */
  readonly words: Promise<string>;
}

/** Milliseconds. */
export interface TurnSettings {
  /** Silence after which a turn is over. */
  readonly endOfTurnMs: number;
  /** The same after "my number is", or between two groups of digits. */
  readonly unfinishedMs: number;
  /** Voice over the agent's that pauses it. */
  readonly bargeInMs: number;
  /** Voice over the agent's that interrupts it, whatever the words will be. */
  readonly interruptMs: number;
  /** The agent goes on after a shorter voice when its words are not known within this time. */
  readonly undecidedMs: number;
  /** A "yes" in the last part of a sentence is an answer to it. */
  readonly answerWindowMs: number;
  /** Silence before the agent asks whether anybody is there, and before it hangs up. */
  readonly silencePromptMs: number;
  readonly silenceEndMs: number;
  /** An answer without a word is given up after this time. */
  readonly stuckMs: number;
  /** A sentence without a sound is given up after this time. */
  readonly soundlessMs: number;
}

export const defaultTurnSettings: Omit<TurnSettings, 'silencePromptMs' | 'silenceEndMs'> = {
  endOfTurnMs: 350,
  unfinishedMs: 1_300,
  bargeInMs: 96,
  interruptMs: 1_500,
  undecidedMs: 700,
  answerWindowMs: 1_000,
  stuckMs: 10_000,
  soundlessMs: 20_000,
};

export interface TurnsOptions {
  readonly conversation: ConversationPort;
  readonly mouth: Mouth;
  readonly report: CallReport;
  readonly settings: TurnSettings;
  readonly phrases: Phrases;
  readonly language: string;
  readonly onState?: (state: 'listening' | 'thinking' | 'speaking') => void;
}

/** What a turn of the agent is recorded with. */
interface Answer {
  model: string | null;
  fallbacks?: Fallback[];
  sources?: NonNullable<NewTurn['sources']>;
}

/** A voice over the agent's turn. */
interface Overlap {
  readonly turn: AbortController;
  /** What was left of the agent's sentence when the voice began. */
  readonly remainingMs: number | undefined;
}

interface Heard {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly voiceEndedAt: number | undefined;
  readonly recognitionMs: number | undefined;
}

/** For the last turn, once the call is over. */
const lastTurnMs = 5_000;

const logError = (event: string, error: unknown): void => logEvent(event, { error: String(error) });

/** The vendor of a model's id, such as `openai` of `openai/gpt-4.1`. */
const vendorOf = (model: string): string => model.split('/')[0] ?? model;

const constant = (text: string): AsyncIterable<string> => {
  const stream = new TextStream();
  stream.push(text);
  stream.close();
  return stream;
};

export class Turns {
  readonly over: Promise<Ending>;
  readonly #options: TurnsOptions;
  readonly #keypad: Keypad;
  /** Undefined: the call is not answered, and nothing that is heard counts. */
  #answeredAt: number | undefined;
  #end: (ending: Ending) => void = () => undefined;
  #isOver = false;

  /** The agent's turn: aborted by an interruption. The next one waits for its end. */
  #turn: AbortController | undefined;
  #turnEnd: Promise<void> = Promise.resolve();
  #utterance: Utterance | undefined;
  #isPaused = false;
  #failures = 0;

  #isVoiced = false;
  #overlap: Overlap | undefined;
  #recognizing = 0;
  #heard: Heard[] = [];
  #voiceEndedAt = 0;
  #endOfTurn: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  /** The agent has asked whether anybody is there. */
  #isPrompted = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#keypad = new Keypad((digits) => this.#take([this.#typed(digits)]));
    this.over = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** The call is answered: the first message is spoken. */
  open(text: string, utterance: Utterance, answeredAt: Date): void {
    this.#answeredAt = answeredAt.getTime();
    this.#agentTurn(async () => {
      await this.#finishUtterance(utterance, { text, startMs: this.#nowMs() });
    });
  }

  voiceStarted(): void {
    if (this.#answeredAt === undefined) return;
    this.#isVoiced = true;
    clearTimeout(this.#endOfTurn);
    clearTimeout(this.#silence);
    const turn = this.#turn;
    this.#overlap = turn && { turn, remainingMs: this.#utterance?.remainingMs() };
  }

  /** @param voiceMs voice since it started */
  voiceContinues(voiceMs: number): void {
    const { bargeInMs, interruptMs } = this.#options.settings;
    if (this.#turn === undefined || this.#turn.signal.aborted) return;
    if (voiceMs >= bargeInMs && !this.#isPaused) {
      this.#isPaused = true;
      this.#options.mouth.pause();
    }
    if (voiceMs >= interruptMs) this.#interrupt();
  }

  async voiceEnded({ voiceMs, silenceMs, words }: VoiceSegment): Promise<void> {
    if (this.#answeredAt === undefined) return;
    this.#isVoiced = false;
    const endedAt = Date.now() - silenceMs;
    this.#voiceEndedAt = endedAt;
    const overlap = this.#overlap;
    this.#overlap = undefined;
    const began = Date.now();
    this.#recognizing += 1;
    const undecided = setTimeout(() => this.#resume(), this.#options.settings.undecidedMs);
    const text = await words.catch((error: unknown) => {
      this.#failed('error_stt', error);
      return '';
    });
    clearTimeout(undecided);
    this.#recognizing -= 1;
    if (this.#isOver) return;
    if (text === '' || this.#isOnlyListening(text, voiceMs, overlap)) return this.#goOn();
    this.#interrupt();
    this.#isPrompted = false;
    const endMs = this.#msOf(endedAt);
    this.#heard.push({
      text,
      startMs: Math.max(0, endMs - Math.round(voiceMs)),
      endMs,
      voiceEndedAt: endedAt,
      recognitionMs: Date.now() - began,
    });
    this.#waitForEndOfTurn();
    return undefined;
  }

  typed(text: string): void {
    this.#take([this.#typed(text)]);
  }

  /** A key of the telephone: 0 to 9, `*` or `#`. */
  key(key: string): void {
    if (this.#answeredAt === undefined) return;
    this.#interrupt();
    this.#keypad.press(key);
  }

  finish(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#endOfTurn);
    clearTimeout(this.#silence);
    this.#keypad.clear();
    this.#turn?.abort();
    this.#utterance?.interrupt();
    const at = new Date();
    const end = (): void => this.#end({ reason, at });
    // What was said last belongs into the record, but a tool that goes on does not keep the call from its end.
    const late = setTimeout(end, lastTurnMs);
    void this.#turnEnd.finally(() => {
      clearTimeout(late);
      end();
    });
  }

  /** Milliseconds since the answer. */
  #msOf(time: number): number {
    return Math.max(0, time - (this.#answeredAt ?? time));
  }

  #nowMs(): number {
    return this.#msOf(Date.now());
  }

  #typed(text: string): Heard {
    const atMs = this.#nowMs();
    return { text, startMs: atMs, endMs: atMs, voiceEndedAt: undefined, recognitionMs: undefined };
  }

  /** A listener's "mm-hm" while the agent speaks; in the end of a question it is an answer. */
  #isOnlyListening(text: string, voiceMs: number, overlap: Overlap | undefined): boolean {
    const { interruptMs, answerWindowMs } = this.#options.settings;
    if (overlap === undefined || overlap.turn !== this.#turn || voiceMs > interruptMs) return false;
    if (overlap.remainingMs !== undefined && overlap.remainingMs <= answerWindowMs) return false;
    return isBackChannel(text, this.#options.language);
  }

  /** The voice was a noise, or a sign of listening. */
  #goOn(): void {
    if (this.#isVoiced) return;
    this.#resume();
    if (this.#heard.length > 0) this.#waitForEndOfTurn();
    else this.#listen();
  }

  #interrupt(): void {
    this.#turn?.abort();
    this.#utterance?.interrupt();
    this.#resume();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#options.mouth.resume();
  }

  #waitForEndOfTurn(): void {
    clearTimeout(this.#endOfTurn);
    if (this.#isVoiced) return;
    const { endOfTurnMs, unfinishedMs } = this.#options.settings;
    const text = this.#heard.map((heard) => heard.text).join(' ');
    const isUnfinished = isHanging(text, this.#options.language) || isDictation(text);
    const dueMs = this.#voiceEndedAt + (isUnfinished ? unfinishedMs : endOfTurnMs) - Date.now();
    this.#endOfTurn = setTimeout(
      () => {
        if (this.#isVoiced || this.#recognizing > 0) return;
        this.#take(this.#heard);
        this.#heard = [];
      },
      Math.max(0, dueMs),
    );
  }

  /** The caller's turn is over. */
  #take(heard: readonly Heard[]): void {
    const [first, last] = [heard[0], heard.at(-1)];
    if (this.#isOver || this.#answeredAt === undefined || first === undefined || last === undefined) return;
    this.#interrupt();
    this.#isPrompted = false;
    const text = heard.map((part) => part.text).join(' ');
    const { language } = this.#options;
    const turn: NewTurn = { role: 'user', text, startMs: first.startMs, endMs: last.endMs, language };
    const takenAt = Date.now();
    this.#agentTurn(async (signal) => {
      this.#options.report.turn(turn, { isTyped: last.voiceEndedAt === undefined });
      await this.#answer(text, { ...last, takenAt }, signal);
    });
  }

  /** Runs when the turn before it is written down. */
  #agentTurn(run: (signal: AbortSignal) => Promise<void>): void {
    clearTimeout(this.#silence);
    const turn = new AbortController();
    this.#turn = turn;
    this.#turnEnd = this.#turnEnd
      .then(() => (this.#isOver ? undefined : run(turn.signal)))
      .catch((error: unknown) => this.#failed('error_runtime', error))
      .finally(() => {
        if (this.#turn !== turn) return;
        this.#turn = undefined;
        this.#listen();
      });
  }

  async #answer(
    text: string,
    asked: Heard & { readonly takenAt: number },
    signal: AbortSignal,
  ): Promise<void> {
    const { conversation, report, settings } = this.#options;
    this.#state('thinking');
    let said = '';
    let stream: TextStream | undefined;
    let speaking: Promise<void> | undefined;
    const answer: Answer = { model: conversation.model };
    let ending: string | undefined;
    let firstTokenAt: number | undefined;
    let failure: unknown;
    const own = new AbortController();
    const watchdog = setTimeout(() => own.abort(), settings.stuckMs);
    const startMs = this.#nowMs();
    const closeUtterance = async (): Promise<void> => {
      stream?.close();
      await speaking;
      stream = undefined;
      speaking = undefined;
      said = '';
    };
    try {
      for await (const event of conversation.answer(text, {
        signal: AbortSignal.any([signal, own.signal]),
      })) {
        if (signal.aborted) break;
        if (event.type === 'say') {
          clearTimeout(watchdog);
          said += event.delta;
          if (stream === undefined) {
            firstTokenAt ??= Date.now();
            stream = new TextStream();
            const utterance = this.#options.mouth.say(stream);
            void this.#time(utterance, asked, firstTokenAt);
            speaking = this.#finishUtterance(utterance, {
              startMs,
              text: () => said,
              answer,
              askedAt: asked.voiceEndedAt,
            });
          }
          stream.push(event.delta);
        } else if (event.type === 'tool') {
          const nowMs = this.#nowMs();
          const durationMs = event.turn.toolCall?.durationMs ?? 0;
          report.turn({ ...event.turn, startMs: Math.max(0, nowMs - durationMs), endMs: nowMs });
        } else if (event.type === 'usage') {
          for (const [direction, quantity] of [
            ['input', event.inputTokens],
            ['output', event.outputTokens],
          ] as const)
            report.use({
              kind: 'llm',
              quantity,
              direction,
              unit: 'token',
              provider: vendorOf(event.model),
              model: event.model,
            });
        } else if (event.type === 'fellBack') {
          answer.model = event.to;
          const { from, to, reason } = event;
          answer.fallbacks = [...(answer.fallbacks ?? []), { kind: 'llm', from, to, reason }];
        } else if (event.type === 'sources') answer.sources = event.sources;
        else if (event.type === 'end') ending = event.reason;
      }
    } catch (error) {
      if (!signal.aborted) failure = error;
    } finally {
      clearTimeout(watchdog);
      await closeUtterance();
    }
    if (signal.aborted) return;
    if (failure !== undefined || own.signal.aborted) return this.#unanswered(failure);
    this.#failures = 0;
    if (ending !== undefined) this.finish(ending);
  }

  async #time(
    utterance: Utterance,
    { voiceEndedAt, recognitionMs, takenAt }: Heard & { readonly takenAt: number },
    firstTokenAt: number,
  ): Promise<void> {
    const startedAt = await utterance.started;
    if (startedAt === undefined) return;
    const times: TurnTimes = {
      first_token: firstTokenAt - takenAt,
      first_sound: Math.max(0, startedAt - firstTokenAt),
    };
    if (voiceEndedAt === undefined) return this.#options.report.times(times);
    this.#options.report.times({
      end_of_turn: takenAt - voiceEndedAt,
      ...(recognitionMs === undefined ? {} : { recognition: recognitionMs }),
      ...times,
      response: Math.max(0, startedAt - voiceEndedAt),
    });
  }

  /** Waits for the end of an utterance, and writes it down. */
  async #finishUtterance(
    utterance: Utterance,
    {
      text,
      startMs,
      answer,
      askedAt,
      isOfConversation = true,
    }: {
      readonly text: string | (() => string);
      readonly startMs: number;
      /** Undefined for words that no brain gave. It still grows. */
      readonly answer?: Answer;
      readonly askedAt?: number | undefined;
      /** False for a phrase of the runtime itself. */
      readonly isOfConversation?: boolean;
    },
  ): Promise<void> {
    const { report, settings, conversation, language } = this.#options;
    this.#utterance = utterance;
    const watchdog = setTimeout(() => utterance.interrupt(), settings.soundlessMs);
    const startedAt = await utterance.started;
    clearTimeout(watchdog);
    if (startedAt !== undefined) this.#state('speaking');
    const { spokenText, interrupted, error } = await utterance.done;
    if (this.#utterance === utterance) this.#utterance = undefined;
    const whole = (typeof text === 'string' ? text : text()).trim();
    if (whole !== '')
      report.turn({
        role: 'agent',
        text: whole,
        spokenText,
        interrupted,
        startMs: startedAt === undefined ? startMs : this.#msOf(startedAt),
        endMs: this.#nowMs(),
        language,
        latencyMs:
          startedAt === undefined || askedAt === undefined
            ? null
            : Math.max(0, Math.round(startedAt - askedAt)),
        ...answer,
      });
    if (isOfConversation) conversation.heard({ spokenText, interrupted });
    if (error !== undefined) this.finish('error_tts');
  }

  async #sayOnce(text: string): Promise<void> {
    await this.#finishUtterance(this.#options.mouth.say(constant(text)), {
      text,
      startMs: this.#nowMs(),
      isOfConversation: false,
    });
  }

  /** Asks the caller to repeat what got no answer. Gives up when that happens again, or no model is left. */
  async #unanswered(failure: unknown): Promise<void> {
    const { phrases } = this.#options;
    this.#failures += 1;
    if (failure !== undefined) logError('answer failed', failure);
    if (this.#failures === 1 && !(failure instanceof ModelUnavailable))
      return this.#sayOnce(phrases.didNotGetThat);
    await this.#sayOnce(phrases.cannotAnswer);
    return this.finish('error_llm');
  }

  /** Says what can be said, and ends the call. */
  #failed(reason: EndedReason, error: unknown): void {
    if (this.#isOver) return;
    logError(reason, error);
    if (reason === 'error_stt') {
      this.#agentTurn(async () => {
        await this.#sayOnce(this.#options.phrases.cannotHear);
        this.finish(reason);
      });
      return;
    }
    this.finish(reason);
  }

  #state(state: 'listening' | 'thinking' | 'speaking'): void {
    this.#options.report.state(state);
    this.#options.onState?.(state);
  }

  /** Nobody speaks. */
  #listen(): void {
    if (this.#isOver || this.#turn !== undefined || this.#isVoiced) return;
    const { silencePromptMs, silenceEndMs } = this.#options.settings;
    this.#state('listening');
    clearTimeout(this.#silence);
    this.#silence = setTimeout(
      () => this.#silent(),
      this.#isPrompted ? silenceEndMs - silencePromptMs : silencePromptMs,
    );
  }

  #silent(): void {
    const { phrases } = this.#options;
    const isLast = this.#isPrompted;
    this.#isPrompted = true;
    this.#agentTurn(async () => {
      await this.#sayOnce(isLast ? phrases.silenceGoodbye : phrases.stillThere);
      if (isLast && this.#isPrompted) this.finish('silence_timeout');
    });
  }
}
