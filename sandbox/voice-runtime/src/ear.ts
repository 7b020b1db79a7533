// The ear of a conversation: turns the samples of the other side into turns of a transcript.
import { createToneListener, type Heard } from '@parlance/fake-kit/tones';
import type { Turn } from '@parlance/fake-livekit';
import { heardRate } from './heard.js';
import { createSpeechListener, type Speech } from './speech-listener.js';

/** A turn that has no place among the others yet. */
export type Spoken = Omit<Turn, 'seq'>;

/** With one digit after the point. */
const secondsOf = ({ startMs, endMs }: Speech): string => ((endMs - startMs) / 1_000).toFixed(1);

/** Keys as a person reads them out: 1 2 0 0. */
const wordsOf = (heard: Heard | Speech): string => {
  switch (heard.kind) {
    case 'keys':
      return [...heard.keys].join(' ');
    case 'beep':
      return '(a beep)';
    case 'speech':
      return `(speech of ${secondsOf(heard)} s)`;
  }
};

/** The other side of a line. Telephones press keys; a visitor of a website may speak as well. */
export type Speaker = 'telephone' | 'visitor';

export interface EarOptions {
  readonly language: string;
  /** Milliseconds since the call was answered. */
  readonly nowMs: () => number;
  readonly onTurn: (turn: Spoken, how: 'heard' | 'typed') => void;
  readonly speaker: Speaker;
}

export interface Ear {
  /** The turns of the other side so far. */
  readonly turns: readonly Spoken[];
  /** Aborted by a beep. */
  readonly beep: AbortSignal;
  /** Takes the next samples. */
  hear(samples: Int16Array): void;
  /** Takes a text that was typed. */
  read(text: string): void;
  /** Nothing more will be heard. */
  close(): void;
  /** Resolves when there are more turns than `known`, or the time is over, or the signal is aborted. */
  more(known: number, waitMs: number, until: AbortSignal): Promise<void>;
}

/** Collects the words of the other side, and wakes the agent up. */
export const createEar = ({ language, nowMs, onTurn, speaker }: EarOptions): Ear => {
  const tones = createToneListener(heardRate);
  const speech = speaker === 'visitor' ? createSpeechListener(heardRate) : undefined;
  const turns: Spoken[] = [];
  let startedMs: number | undefined;
  let wake: () => void = () => undefined;
  const beep = new AbortController();
  const note = (heard: readonly (Heard | Speech)[]): void => {
    for (const part of heard) {
      const offset = startedMs ?? 0;
      const [startMs, endMs] = [Math.round(part.startMs + offset), Math.round(part.endMs + offset)];
      const turn = { role: 'user' as const, text: wordsOf(part), startMs, endMs, language };
      turns.push(turn);
      onTurn(turn, 'heard');
      if (part.kind === 'beep') beep.abort();
    }
    if (heard.length > 0) wake();
  };
  return {
    turns,
    beep: beep.signal,
    hear: (samples: Int16Array) => {
      startedMs ??= nowMs();
      note([...tones.hear(samples), ...(speech?.hear(samples) ?? [])]);
    },
    close: () => note([...tones.end(), ...(speech?.end() ?? [])]),
    read: (text: string) => {
      const atMs = Math.round(nowMs());
      const turn = { role: 'user' as const, text, startMs: atMs, endMs: atMs, language };
      turns.push(turn);
      onTurn(turn, 'typed');
      wake();
    },
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
