// The audio of one stretch of voice, and the work on it that begins before it is certain that the voice has ended.
import type { AnsweredBy } from '../turns/call-report.js';
import { type Audio, joined, msOf } from './audio.js';

/** What is worked out from a stretch of voice. */
export interface Findings {
  readonly words: Promise<string>;
  /** The model that found the words. */
  readonly by?: Promise<AnsweredBy>;
  readonly finished: Promise<number | undefined>;
}

export interface StretchesOptions {
  /** @param turn the stretch, and what the caller said just before it */
  readonly examine: (stretch: Audio, turn: Audio, signal: AbortSignal) => Findings;
  /** Silence after which the work begins. */
  readonly earlyMs: number;
  /** A click or a breath is shorter: no model finds words in it, and some invent them. */
  readonly leastVoiceMs: number;
  /** Audio before the voice was noticed. */
  readonly prefixMs: number;
  /** Of a stretch, and of a turn. */
  readonly longestMs: number;
  readonly turnMs: number;
  /** A voice that begins later belongs to another turn. */
  readonly pauseMs: number;
}

/** The last milliseconds of audio that comes in windows. */
class Window {
  readonly #longestMs: number;
  #parts: Audio[] = [];
  #ms = 0;

  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  add(audio: Audio): void {
    this.#parts.push(audio);
    this.#ms += msOf(audio);
    for (let first = this.#parts[0]; first !== undefined; first = this.#parts[0]) {
      if (this.#ms - msOf(first) < this.#longestMs) return;
      this.#parts.shift();
      this.#ms -= msOf(first);
    }
  }

  clear(): void {
    this.#parts = [];
    this.#ms = 0;
  }

  audio(): Audio {
    return joined(this.#parts) ?? { samples: new Int16Array(0), rate: 1 };
  }
}

const noFindings: Findings = { words: Promise.resolve(''), finished: Promise.resolve(undefined) };

interface Early {
  readonly abort: AbortController;
  readonly findings: Findings;
}

export class Stretches {
  readonly #options: StretchesOptions;
  readonly #before: Window;
  readonly #turn: Window;
  #stretch: Window | undefined;
  #early: Early | undefined;
  #silentMs = Number.POSITIVE_INFINITY;

  constructor(options: StretchesOptions) {
    this.#options = options;
    this.#before = new Window(options.prefixMs);
    this.#turn = new Window(options.turnMs);
  }

  /** The next window of audio, and the voice and the silence up to its end. */
  add(audio: Audio, { voiceMs, silenceMs }: { readonly voiceMs: number; readonly silenceMs: number }): void {
    this.#before.add(audio);
    this.#turn.add(audio);
    if (this.#stretch === undefined) {
      this.#silentMs += msOf(audio);
      return;
    }
    this.#stretch.add(audio);
    const { earlyMs, leastVoiceMs } = this.#options;
    if (silenceMs === 0) this.#discard();
    else if (silenceMs >= earlyMs && voiceMs >= leastVoiceMs) this.#early ??= this.#examine(this.#stretch);
  }

  /** Voice was noticed in the window that was added last. */
  begin(): void {
    const { longestMs, pauseMs } = this.#options;
    this.#stretch = new Window(longestMs);
    this.#stretch.add(this.#before.audio());
    if (this.#silentMs <= pauseMs) return;
    this.#turn.clear();
    this.#turn.add(this.#before.audio());
  }

  /** The voice has ended. */
  end(voiceMs: number): Findings {
    const stretch = this.#stretch;
    const early = this.#early;
    this.#stretch = undefined;
    this.#early = undefined;
    this.#silentMs = 0;
    if (stretch === undefined || voiceMs < this.#options.leastVoiceMs) {
      early?.abort.abort();
      return noFindings;
    }
    return (early ?? this.#examine(stretch)).findings;
  }

  #examine(stretch: Window): Early {
    const abort = new AbortController();
    const findings = this.#options.examine(stretch.audio(), this.#turn.audio(), abort.signal);
    // Nobody waits for them when the voice goes on.
    findings.words.catch(() => undefined);
    findings.by?.catch(() => undefined);
    findings.finished.catch(() => undefined);
    return { abort, findings };
  }

  #discard(): void {
    this.#early?.abort.abort();
    this.#early = undefined;
  }
}
