// Whose turn it is in a spoken conversation. The ear reports voice and words, the mouth speaks; this decides when the caller has
// finished, whether a voice over the agent's is an interruption, and what happens when nobody speaks.
import { ModelUnavailable, unintelligible } from '@parlance/conversation';
import { AgentVoice } from './agent-voice.js';
import { type Asked, speakAnswer } from './answer.js';
import { CallClock } from './call-clock.js';
import type { CallReport, NewTurn } from './call-report.js';
import { silenceBeforeAnswer } from './end-of-turn.js';
import { Keypad } from './keypad.js';
import { logEvent } from './log.js';
import type { Phrases } from './phrases.js';
import type {
  ConversationPort,
  EndedReason,
  Ending,
  Heard,
  Mouth,
  Utterance,
  VoiceSegment,
} from './ports.js';
import type { TurnSettings } from './turn-settings.js';
import { isBackChannel } from './words.js';

export interface TurnsOptions {
  readonly conversation: ConversationPort;
  readonly mouth: Mouth;
  readonly report: CallReport;
  readonly settings: TurnSettings;
  readonly phrases: Phrases;
  readonly language: string;
  readonly onState?: (state: 'listening' | 'thinking' | 'speaking') => void;
}

/** A voice over the agent's turn. */
interface Overlap {
  readonly turn: AbortController;
  /** What was left of the agent's sentence when the voice began. */
  readonly remainingMs: number | undefined;
}

/** For the last turn, once the call is over. */
const lastTurnMs = 5_000;

const logError = (event: string, error: unknown): void => logEvent(event, { error: String(error) });

export class Turns {
  readonly over: Promise<Ending>;
  readonly #options: TurnsOptions;
  readonly #clock = new CallClock();
  readonly #voice: AgentVoice;
  readonly #keypad: Keypad;
  #end: (ending: Ending) => void = () => undefined;
  #isOver = false;

  /** The agent's turn: aborted by an interruption. The next one waits for its end. */
  #turn: AbortController | undefined;
  #turnEnd: Promise<void> = Promise.resolve();
  #failures = 0;

  #isVoiced = false;
  /** Paused by a voice that has not started yet. */
  #isSuspected = false;
  #overlap: Overlap | undefined;
  #recognizing = 0;
  #heard: Heard[] = [];
  /** Turns in a row that were voice without words. */
  #wordless = 0;
  #voiceEndedAt = 0;
  /** Of the last voice, by the model of the end of turn. */
  #finished: number | undefined;
  #endOfTurn: NodeJS.Timeout | undefined;
  #withoutAudio: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  #busy: NodeJS.Timeout | undefined;
  /** The agent has asked whether anybody is there. */
  #isPrompted = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
    const { mouth, report, conversation, language, settings } = options;
    this.#voice = new AgentVoice({
      mouth,
      report,
      conversation,
      language,
      clock: this.#clock,
      soundlessMs: settings.soundlessMs,
      onSpeaking: () => this.#state('speaking'),
      onError: () => this.finish('error_tts'),
    });
    this.#keypad = new Keypad((digits) => this.#take([this.#typed(digits)]));
    this.over = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** The call is answered: the first message is spoken. */
  open(text: string, utterance: Utterance, answeredAt: Date): void {
    this.#clock.answeredAt = answeredAt.getTime();
    this.#agentTurn(() => this.#voice.finish(utterance, { text, startMs: this.#clock.nowMs() }));
  }

  /** @param voiceMs sound before `voiceStarted` that may be a voice; 0 when it was none */
  voiceSuspected(voiceMs: number): void {
    if (voiceMs === 0) {
      if (!this.#isSuspected) return;
      this.#isSuspected = false;
      clearTimeout(this.#withoutAudio);
      this.#voice.resume();
      return;
    }
    // A pause that waits for the words of an earlier voice is not ended by a click.
    if (voiceMs >= this.#options.settings.bargeInMs && this.canBePaused) {
      this.#isSuspected = true;
      this.#voice.pause();
      this.#expectAudio();
    }
  }

  /** The agent has its turn, and no voice is over it. */
  get canBePaused(): boolean {
    return this.#isAgentTurn && !this.#isVoiced && !this.#voice.isPaused;
  }

  voiceStarted(): void {
    this.#isSuspected = false;
    if (!this.#isAnswered) return;
    this.#isVoiced = true;
    this.#expectAudio();
    clearTimeout(this.#endOfTurn);
    clearTimeout(this.#silence);
    clearTimeout(this.#busy);
    const turn = this.#turn;
    this.#overlap = turn && { turn, remainingMs: this.#voice.remainingMs() };
  }

  /** True while a voice is over the agent's, and until it has ended. */
  get isSpokenOver(): boolean {
    return this.#overlap !== undefined;
  }

  /** @param voiceMs voice since it started */
  voiceContinues(voiceMs: number): void {
    const { bargeInMs, interruptMs } = this.#options.settings;
    this.#withoutAudio?.refresh();
    if (!this.#isAgentTurn) return;
    if (voiceMs >= bargeInMs) this.#voice.pause();
    if (voiceMs >= interruptMs) this.#interrupt();
  }

  async voiceEnded({ voiceMs, silenceMs, words, finished }: VoiceSegment): Promise<void> {
    if (!this.#isAnswered) return;
    this.#isVoiced = false;
    clearTimeout(this.#withoutAudio);
    const endedAt = Date.now() - silenceMs;
    this.#voiceEndedAt = endedAt;
    this.#finished = undefined;
    void finished?.then((estimate) => this.#estimated(endedAt, estimate));
    const overlap = this.#overlap;
    this.#overlap = undefined;
    const began = Date.now();
    const undecided = setTimeout(() => this.#voice.resume(), this.#options.settings.undecidedMs);
    this.#recognizing += 1;
    this.#askForMomentLater(endedAt);
    const text = await words.catch((error: unknown) => {
      this.#failed('error_stt', error);
      return '';
    });
    clearTimeout(undecided);
    this.#recognizing -= 1;
    if (this.#isOver) return;
    const isWordless = text === '';
    if (isWordless ? !this.#isTry(voiceMs, overlap) : this.#isOnlyListening(text, voiceMs, overlap)) {
      this.#goOn();
      return;
    }
    this.#interrupt();
    this.#isPrompted = false;
    const endMs = this.#clock.msOf(endedAt);
    this.#heard.push({
      text: isWordless ? unintelligible : text,
      startMs: Math.max(0, endMs - Math.round(voiceMs)),
      endMs,
      voiceEndedAt: endedAt,
      recognitionMs: Date.now() - began,
    });
    this.#waitForEndOfTurn();
  }

  typed(text: string): void {
    this.#take([this.#typed(text)]);
  }

  /** A key of the telephone: 0 to 9, `*` or `#`. */
  key(key: string): void {
    if (!this.#isAnswered) return;
    this.#interrupt();
    this.#keypad.press(key);
  }

  finish(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#withoutAudio);
    clearTimeout(this.#endOfTurn);
    clearTimeout(this.#silence);
    clearTimeout(this.#busy);
    this.#keypad.clear();
    this.#turn?.abort();
    this.#voice.interrupt();
    const at = new Date();
    const end = (): void => this.#end({ reason, at });
    // What was said last belongs into the record, but a tool that goes on does not keep the call from its end.
    const late = setTimeout(end, lastTurnMs);
    void this.#turnEnd.finally(() => {
      clearTimeout(late);
      end();
    });
  }

  /** Nothing that is heard counts before the answer. */
  get #isAnswered(): boolean {
    return this.#clock.answeredAt !== undefined;
  }

  get #isAgentTurn(): boolean {
    return this.#turn !== undefined && !this.#turn.signal.aborted;
  }

  #typed(text: string): Heard {
    const atMs = this.#clock.nowMs();
    return { text, startMs: atMs, endMs: atMs, voiceEndedAt: undefined, recognitionMs: undefined };
  }

  /** A listener's "mm-hm" while the agent speaks; in the end of a question it is an answer. */
  #isOnlyListening(text: string, voiceMs: number, overlap: Overlap | undefined): boolean {
    const { interruptMs, answerWindowMs } = this.#options.settings;
    if (overlap === undefined || overlap.turn !== this.#turn || voiceMs > interruptMs) return false;
    if (overlap.remainingMs !== undefined && overlap.remainingMs <= answerWindowMs) return false;
    return isBackChannel(text, this.#options.language);
  }

  /** A voice without words, in the caller's turn. Repeated without end, it is a noise. */
  #isTry(voiceMs: number, overlap: Overlap | undefined): boolean {
    const { wordlessMs, mostWordless } = this.#options.settings;
    return overlap === undefined && voiceMs >= wordlessMs && this.#wordless < mostWordless;
  }

  /** The detector reports the end of a voice while audio comes. Without any, the agent would wait for it in silence. */
  #expectAudio(): void {
    clearTimeout(this.#withoutAudio);
    this.#withoutAudio = setTimeout(() => {
      logEvent('no audio from the caller', {});
      this.#isVoiced = false;
      this.#isSuspected = false;
      this.#overlap = undefined;
      this.#goOn();
    }, this.#options.settings.withoutAudioMs);
  }

  /** The voice was a noise, or a sign of listening. */
  #goOn(): void {
    if (this.#isVoiced) return;
    this.#voice.resume();
    if (this.#heard.length > 0) this.#waitForEndOfTurn();
    else this.#listen();
  }

  #interrupt(): void {
    this.#turn?.abort();
    this.#voice.interrupt();
  }

  /** The model has judged the voice that ended then. Its words may be there already, or not. */
  #estimated(voiceEndedAt: number, estimate: number | undefined): void {
    if (voiceEndedAt !== this.#voiceEndedAt) return;
    this.#finished = estimate;
    if (this.#heard.length > 0) this.#waitForEndOfTurn();
  }

  #waitForEndOfTurn(): void {
    clearTimeout(this.#endOfTurn);
    if (this.#isVoiced) return;
    const { settings, language } = this.#options;
    const text = this.#heard.map((heard) => heard.text).join(' ');
    const silenceMs = silenceBeforeAnswer({ text, language, finished: this.#finished, settings });
    const dueMs = this.#voiceEndedAt + silenceMs - Date.now();
    this.#endOfTurn = setTimeout(
      () => {
        if (this.#isVoiced || this.#recognizing > 0) return;
        const heard = this.#heard;
        this.#heard = [];
        this.#take(heard);
      },
      Math.max(0, dueMs),
    );
  }

  /** The caller's turn is over. */
  #take(heard: readonly Heard[]): void {
    const [first, last] = [heard[0], heard.at(-1)];
    if (this.#isOver || !this.#isAnswered || first === undefined || last === undefined) return;
    this.#interrupt();
    this.#isPrompted = false;
    const words = heard.map((part) => part.text).filter((part) => part !== unintelligible);
    this.#wordless = words.length === 0 ? this.#wordless + 1 : 0;
    const text = words.length === 0 ? unintelligible : words.join(' ');
    const { language } = this.#options;
    const turn: NewTurn = { role: 'user', text, startMs: first.startMs, endMs: last.endMs, language };
    const takenAt = Date.now();
    this.#askForMomentLater(last.voiceEndedAt);
    this.#agentTurn(async (signal) => {
      this.#options.report.turn(turn, { isTyped: last.voiceEndedAt === undefined });
      await this.#answer(text, { ...last, takenAt }, signal);
    });
  }

  /**
   * A provider that hangs takes seconds to be replaced. The phrase is made already, so it needs none of them.
   * @param voiceEndedAt undefined for words that were typed or keyed in
   */
  #askForMomentLater(voiceEndedAt: number | undefined): void {
    const { settings, phrases } = this.#options;
    const { busyMs, leastBusyMs, quietMs } = settings;
    const leftMs = voiceEndedAt === undefined ? busyMs : voiceEndedAt + quietMs - Date.now();
    clearTimeout(this.#busy);
    this.#busy = setTimeout(
      () => {
        const isBusy = this.#recognizing > 0 || this.#isAgentTurn;
        if (isBusy && !this.#isVoiced && !this.#voice.isSaying) void this.#voice.sayOnce(phrases.oneMoment);
      },
      Math.min(busyMs, Math.max(leastBusyMs, leftMs)),
    );
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

  async #answer(text: string, asked: Asked, signal: AbortSignal): Promise<void> {
    const { conversation, report, settings } = this.#options;
    this.#state('thinking');
    const outcome = await speakAnswer(text, asked, signal, {
      conversation,
      voice: this.#voice,
      report,
      clock: this.#clock,
      stuckMs: settings.stuckMs,
    });
    if (outcome.kind === 'interrupted') return;
    if (outcome.kind === 'unanswered') {
      await this.#unanswered(outcome.failure);
      return;
    }
    this.#failures = 0;
    if (outcome.ending !== undefined) this.finish(outcome.ending);
  }

  /** Asks the caller to repeat what got no answer. Gives up when that happens again, or no model is left. */
  async #unanswered(failure: unknown): Promise<void> {
    const { conversation, phrases } = this.#options;
    this.#failures += 1;
    if (failure !== undefined) logError('answer failed', failure);
    if (this.#failures === 1 && !(failure instanceof ModelUnavailable) && !conversation.isOver) {
      await this.#voice.sayOnce(phrases.didNotGetThat);
      return;
    }
    await this.#voice.sayOnce(phrases.cannotAnswer);
    this.finish('error_llm');
  }

  /** Says what can be said, and ends the call. */
  #failed(reason: EndedReason, error: unknown): void {
    if (this.#isOver) return;
    logError(reason, error);
    if (reason !== 'error_stt') {
      this.finish(reason);
      return;
    }
    this.#agentTurn(async () => {
      await this.#voice.sayOnce(this.#options.phrases.cannotHear);
      this.finish(reason);
    });
  }

  #state(state: 'listening' | 'thinking' | 'speaking'): void {
    this.#options.report.state(state);
    this.#options.onState?.(state);
  }

  /** Nobody speaks. */
  #listen(): void {
    if (this.#isOver || this.#turn !== undefined || this.#isVoiced) return;
    // The last answer was interrupted, by words that get an answer or by a noise.
    const isAnswering = this.#heard.length > 0 || this.#recognizing > 0;
    if (this.#options.conversation.isOver && !isAnswering) {
      this.finish('agent_hangup');
      return;
    }
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
      await this.#voice.sayOnce(isLast ? phrases.silenceGoodbye : phrases.stillThere);
      if (isLast && this.#isPrompted) this.finish('silence_timeout');
    });
  }
}
