// For tests: a caller of whom only the voice activity and the words are known, against a mouth whose audio lasts as long as its text.
import { afterEach, beforeEach, jest } from '@jest/globals';
import type { ConversationEvent } from '@parlance/conversation';
import { CallReport } from '../turns/call-report.js';
import { phrasesOf } from '../turns/phrases.js';
import type { ConversationPort, Mouth, Utterance } from '../turns/ports.js';
import { TextStream } from '../turns/text-stream.js';
import { defaultTurnSettings } from '../turns/turn-settings.js';
import { Turns } from '../turns/turns.js';

const msPerLetter = 60;
const answeredAt = new Date('2026-03-01T10:00:00.000Z');

class FakeMouth implements Mouth {
  readonly said: string[] = [];
  isPaused = false;
  pauses = 0;
  /** Set: the next utterance finds no synthesizer. */
  error: Error | undefined;

  pause(): void {
    this.isPaused = true;
    this.pauses += 1;
  }

  resume(): void {
    this.isPaused = false;
  }

  say(text: AsyncIterable<string>): Utterance {
    let whole = '';
    let isWhole = false;
    let playedMs = 0;
    let isInterrupted = false;
    const { error } = this;
    const read = (async () => {
      for await (const part of text) whole += part;
      isWhole = true;
    })();
    const started = (async () => {
      await read;
      if (error !== undefined) return undefined;
      this.said.push(whole);
      return Date.now();
    })();
    const done = started.then(
      (startedAt) =>
        new Promise<Awaited<Utterance['done']>>((resolve) => {
          if (startedAt === undefined)
            return resolve({ spokenText: '', interrupted: false, ...(error && { error }) });
          const timer = setInterval(() => {
            if (!this.isPaused) playedMs += 20;
            if (!isInterrupted && playedMs < whole.length * msPerLetter) return;
            clearInterval(timer);
            resolve({
              spokenText: whole.slice(0, Math.round(playedMs / msPerLetter)),
              interrupted: isInterrupted,
            });
          }, 20);
          return undefined;
        }),
    );
    return {
      started,
      done,
      remainingMs: () => (isWhole ? whole.length * msPerLetter - playedMs : undefined),
      interrupt: () => {
        isInterrupted = true;
      },
    };
  }
}

const spoken = (text: string): TextStream => {
  const stream = new TextStream();
  stream.push(text);
  stream.close();
  return stream;
};

export const startCall = (port: Partial<ConversationPort> = {}) => {
  const mouth = new FakeMouth();
  const report = new CallReport({ report: async () => undefined });
  const asked: string[] = [];
  const heard: { readonly spokenText: string; readonly interrupted: boolean }[] = [];
  const conversation: ConversationPort = {
    model: null,
    opening: () => 'Hello.',
    answer: async function* (text): AsyncGenerator<ConversationEvent> {
      asked.push(text);
      yield { type: 'say', delta: `You said: ${text}` };
      if (text.includes('goodbye')) yield { type: 'end', reason: 'agent_hangup' };
    },
    heard: (one) => heard.push(one),
    ...port,
    // It changes during a call.
    get isOver() {
      return port.isOver ?? false;
    },
  };
  const turns = new Turns({
    conversation,
    mouth,
    report,
    language: 'en',
    phrases: phrasesOf('en'),
    settings: { ...defaultTurnSettings, silencePromptMs: 10_000, silenceEndMs: 30_000 },
  });
  let ended: string | undefined;
  void turns.over.then(({ reason }) => {
    ended = reason;
  });
  const run = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  /** A voice of this length, and the words that are found in it 300 ms after its end. */
  const speak = async (
    words: string,
    voiceMs = 800,
    recognition: Promise<string> | undefined = undefined,
    finished: number | undefined = undefined,
  ) => {
    turns.voiceStarted();
    for (let at = 100; at <= voiceMs; at += 100) {
      await run(100);
      turns.voiceContinues(at);
    }
    await run(250);
    const found = new Promise<string>((resolve) => setTimeout(() => resolve(words), 300));
    void turns.voiceEnded({
      voiceMs,
      silenceMs: 250,
      words: recognition ?? found,
      finished: Promise.resolve(finished),
    });
    await run(320);
  };
  return {
    turns,
    mouth,
    report,
    asked,
    heard,
    speak,
    run,
    ended: () => ended,
    open: async (text = 'Hello.') => {
      turns.open(text, mouth.say(spoken(text)), answeredAt);
      await run(20);
    },
    agentTurns: () => report.turns.filter(({ role }) => role === 'agent'),
  };
};

/** Time that tests advance, from the moment at which the call is answered. */
export const useCallTime = (): void => {
  beforeEach(() => {
    jest.useFakeTimers({ now: answeredAt });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
};
