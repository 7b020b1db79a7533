// The ear of a conversation: turns the tones of the telephone into turns of a transcript.
import { createToneListener, type Heard } from '@parlance/fake-kit/tones';
import type { Turn } from '../conversation.js';
import { heardRate } from './heard.js';

/** A turn that has no place among the others yet. */
export type Spoken = Omit<Turn, 'seq'>;

/** Keys as a person reads them out: 1 2 0 0. */
const wordsOf = (heard: Heard): string => (heard.kind === 'keys' ? [...heard.keys].join(' ') : '(a beep)');

export interface EarOptions {
  readonly language: string;
  /** Milliseconds since the call was answered. */
  readonly nowMs: () => number;
  readonly onTurn: (turn: Spoken) => void;
}

export interface Ear {
  /** The turns of the telephone so far. */
  readonly turns: readonly Spoken[];
  /** Aborted by a beep. */
  readonly beep: AbortSignal;
  /** Takes the next samples. */
  hear(samples: Int16Array): void;
  /** Nothing more will be heard. */
  close(): void;
  /** Resolves when there are more turns than `known`, or the time is over, or the signal is aborted. */
  more(known: number, waitMs: number, until: AbortSignal): Promise<void>;
}

/** Collects the keys of the telephone, and wakes the agent up. */
export const createEar = ({ language, nowMs, onTurn }: EarOptions): Ear => {
  const tones = createToneListener(heardRate);
  const turns: Spoken[] = [];
  let startedMs: number | undefined;
  let wake: () => void = () => undefined;
  const beep = new AbortController();
  const note = (heard: readonly Heard[]): void => {
    for (const part of heard) {
      const offset = startedMs ?? 0;
      const [startMs, endMs] = [Math.round(part.startMs + offset), Math.round(part.endMs + offset)];
      const turn = { role: 'user' as const, text: wordsOf(part), startMs, endMs, language };
      turns.push(turn);
      onTurn(turn);
      if (part.kind === 'beep') beep.abort();
    }
    if (heard.length > 0) wake();
  };
  return {
    turns,
    beep: beep.signal,
    hear: (samples: Int16Array) => {
      startedMs ??= nowMs();
      note(tones.hear(samples));
    },
    close: () => note(tones.end()),
    more: (known: number, waitMs: number, until: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (turns.length > known || until.aborted) return resolve();
        const timer = setTimeout(resolve, waitMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        until.addEventListener('abort', wake, { once: true });
        return undefined;
      }),
  };
};
