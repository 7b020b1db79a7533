// A caller of whom only the voice activity and the words are known, against a mouth whose audio lasts as long as its text.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ConversationEvent } from '@parlance/conversation';
import { CallReport } from './call-report.js';
import { phrasesOf } from './phrases.js';
import type { ConversationPort, Mouth, Utterance } from './ports.js';
import { TextStream } from './text-stream.js';
import { defaultTurnSettings } from './turn-settings.js';
import { Turns } from './turns.js';

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

const silent: Partial<ConversationPort> = {};

const start = (port: Partial<ConversationPort> = silent) => {
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

describe('turns of a spoken conversation', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: answeredAt });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('answers once the caller has been silent, with both turns in the transcript', async () => {
    const call = start();
    await call.open();
    await call.run(1_000);
    await call.speak('What time do you open?');
    expect(call.asked).toEqual(['What time do you open?']);
    await call.run(5_000);
    expect(call.report.turns.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'agent: Hello.',
      'user: What time do you open?',
      'agent: You said: What time do you open?',
    ]);
    expect(call.heard.at(-1)).toEqual({ spokenText: 'You said: What time do you open?', interrupted: false });
    expect(call.report.summary().latency?.e2eP50Ms).toBeGreaterThan(0);
    const { timings, latencyMs, model } = call.agentTurns().at(-1) ?? {};
    expect(model).toBeNull();
    const steps = Object.values(timings ?? {}).map((ms) => ms ?? 0);
    expect(steps.reduce((sum, ms) => sum + ms, 0)).toBe(latencyMs);
    expect(timings?.recognitionMs).toBe(300);
  });

  it('records which models answered a turn, and which they replaced', async () => {
    const fallbackOf = (kind: 'stt' | 'tts') => ({ kind, from: 'far/a', to: 'near/b', reason: 'timeout' });
    const call = start({
      model: 'openai/a',
      answer: async function* (): AsyncGenerator<ConversationEvent> {
        yield { type: 'fellBack', from: 'openai/a', to: 'groq/b', reason: 'rateLimited' };
        yield { type: 'say', delta: 'At nine.' };
      },
    });
    await call.open();
    await call.run(1_000);
    call.report.recognized({ model: 'near/b', fallback: fallbackOf('stt') });
    call.report.spoke({ model: 'near/b', fallback: fallbackOf('tts') });
    await call.speak('What time do you open?');
    await call.run(3_000);
    call.turns.typed('And on Sunday?');
    await call.run(3_000);
    const turns = call.report.turns.map(({ sttModel, ttsModel, model, fallbacks }) => {
      return { sttModel, ttsModel, model, fallbacks };
    });
    const byModel = { kind: 'llm', from: 'openai/a', to: 'groq/b', reason: 'rateLimited' };
    expect(turns).toEqual([
      {},
      { sttModel: 'near/b', fallbacks: [fallbackOf('stt')] },
      { ttsModel: 'near/b', model: 'groq/b', fallbacks: [byModel, fallbackOf('tts')] },
      {},
      { model: 'groq/b', fallbacks: [byModel] },
    ]);
  });

  it('waits longer after a sentence that stops in its middle, and answers both parts as one', async () => {
    const call = start();
    await call.open();
    await call.run(1_000);
    await call.speak('My number is');
    await call.run(300);
    expect(call.asked).toEqual([]);
    await call.speak('four seven one.');
    await call.run(400);
    expect(call.asked).toEqual(['My number is four seven one.']);
  });

  it('answers sooner when a model is sure that the turn is over', async () => {
    const call = start();
    await call.open();
    await call.run(1_000);
    call.turns.voiceStarted();
    await call.run(1_050);
    void call.turns.voiceEnded({
      voiceMs: 800,
      silenceMs: 250,
      words: Promise.resolve('What time do you open?'),
      finished: Promise.resolve(0.95),
    });
    await call.run(10);
    expect(call.asked).toEqual(['What time do you open?']);
  });

  it('waits longer when a model is sure that the turn goes on, and answers both parts as one', async () => {
    const call = start();
    await call.open();
    await call.run(1_000);
    await call.speak('I would like a table', 800, undefined, 0.02);
    await call.run(250);
    expect(call.asked).toEqual([]);
    await call.speak('for four people.', 800, undefined, 0.95);
    expect(call.asked).toEqual(['I would like a table for four people.']);
  });

  it('answers by the rule about silence when the model of the end of turn is late', async () => {
    const call = start();
    await call.open();
    await call.run(1_000);
    call.turns.voiceStarted();
    await call.run(1_050);
    void call.turns.voiceEnded({
      voiceMs: 800,
      silenceMs: 250,
      words: Promise.resolve('What time do you open?'),
      finished: new Promise(() => undefined),
    });
    await call.run(90);
    expect(call.asked).toEqual([]);
    await call.run(20);
    expect(call.asked).toEqual(['What time do you open?']);
  });

  it('does not take the estimate of an earlier voice for the last one', async () => {
    const call = start();
    await call.open();
    await call.run(1_000);
    let judge: (estimate: number) => void = () => undefined;
    const late = new Promise<number>((resolve) => {
      judge = resolve;
    });
    call.turns.voiceStarted();
    await call.run(1_050);
    void call.turns.voiceEnded({
      voiceMs: 800,
      silenceMs: 250,
      words: Promise.resolve('My number'),
      finished: late,
    });
    await call.run(50);
    await call.speak('is four seven', 600, undefined, 0.02);
    judge(0.99);
    await call.run(200);
    expect(call.asked).toEqual([]);
  });

  describe('once the person has asked not to be called again', () => {
    const optedOut = (): Partial<ConversationPort> => {
      const asked: string[] = [];
      return {
        get isOver() {
          return asked.length > 0;
        },
        answer: async function* (text): AsyncGenerator<ConversationEvent> {
          asked.push(text);
          yield {
            type: 'say',
            delta: 'We will not call you again. We are sorry for the disturbance. Goodbye.',
          };
          yield { type: 'end', reason: 'agent_hangup' };
        },
      };
    };

    it('ends the call although a noise has cut off the confirmation', async () => {
      const call = start(optedOut());
      await call.open();
      await call.run(1_000);
      await call.speak('Please stop calling me.');
      await call.run(500);
      await call.speak('', 1_500);
      await call.run(500);
      expect(call.agentTurns().at(-1)).toMatchObject({ interrupted: true });
      expect(call.ended()).toBe('agent_hangup');
    });

    it('answers words that have cut off the confirmation, and ends the call then', async () => {
      const call = start(optedOut());
      await call.open();
      await call.run(1_000);
      await call.speak('Please stop calling me.');
      await call.run(500);
      await call.speak('And who are you?', 1_500);
      expect(call.ended()).toBeUndefined();
      await call.run(8_000);
      expect(call.agentTurns().slice(1)).toMatchObject([{ interrupted: true }, { interrupted: false }]);
      expect(call.ended()).toBe('agent_hangup');
    });

    it('ends the call when its answer fails', async () => {
      const asked: string[] = [];
      const call = start({
        get isOver() {
          return asked.length > 0;
        },
        // biome-ignore lint/correctness/useYield: the answer fails before its first word
        answer: async function* (text): AsyncGenerator<ConversationEvent> {
          asked.push(text);
          throw new Error('the connection was reset');
        },
      });
      await call.open();
      await call.run(1_000);
      await call.speak('Please stop calling me.');
      await call.run(8_000);
      expect([asked.length, call.ended()]).toEqual([1, 'error_llm']);
    });
  });

  it('is silent within 100 ms of an interruption, and records what was heard of its sentence', async () => {
    const call = start();
    await call.open(
      'This is a long greeting, which nobody would listen to until its end, because it goes on and on.',
    );
    await call.run(1_200);
    call.turns.voiceStarted();
    call.turns.voiceContinues(100);
    expect(call.mouth.isPaused).toBe(true);
    await call.speak('No, wait, I need a doctor.', 900);
    await call.run(400);
    expect(call.asked).toEqual(['No, wait, I need a doctor.']);
    const [greeting] = call.agentTurns();
    expect(greeting).toMatchObject({ interrupted: true });
    expect(greeting?.spokenText).toBe(greeting?.text.slice(0, greeting.spokenText?.length));
    expect(greeting?.spokenText?.length).toBeLessThan(40);
    expect(call.heard[0]).toEqual({ spokenText: greeting?.spokenText, interrupted: true });
  });

  it.each(['Mm-hm.', 'Yes.', 'Okay, right.', ''])('goes on after %j over its voice', async (words) => {
    const call = start();
    const greeting =
      'This is a long greeting, which nobody would listen to until its end, because it goes on.';
    await call.open(greeting);
    await call.run(1_000);
    await call.speak(words, 400);
    expect(call.mouth.isPaused).toBe(false);
    await call.run(10_000);
    expect(call.asked).toEqual([]);
    expect(call.agentTurns()[0]).toMatchObject({ spokenText: greeting, interrupted: false });
  });

  it('pauses at the first window of a voice, and resumes after the next when it was a click', async () => {
    const call = start();
    const greeting = 'This is a long greeting, which is not interrupted by the click of a door.';
    await call.open(greeting);
    await call.run(1_000);
    call.turns.voiceSuspected(32);
    const atTheClick = call.mouth.isPaused;
    await call.run(32);
    call.turns.voiceSuspected(0);
    expect([atTheClick, call.mouth.isPaused]).toEqual([true, false]);
    await call.run(10_000);
    expect(call.asked).toEqual([]);
    expect(call.agentTurns()[0]).toMatchObject({ spokenText: greeting, interrupted: false });
  });

  it('stays paused when the voice of the first window continues', async () => {
    const call = start();
    await call.open('This is a long greeting, which nobody would listen to until its end.');
    await call.run(1_000);
    call.turns.voiceSuspected(32);
    call.turns.voiceSuspected(64);
    call.turns.voiceStarted();
    call.turns.voiceSuspected(0);
    expect(call.mouth.isPaused).toBe(true);
    await call.speak('No, wait, I need a doctor.', 900);
    await call.run(400);
    expect(call.asked).toEqual(['No, wait, I need a doctor.']);
  });

  it('is not resumed by a click while the words of a voice are awaited', async () => {
    const call = start();
    await call.open('This is a long greeting, which nobody would listen to until its end.');
    await call.run(1_000);
    call.turns.voiceStarted();
    call.turns.voiceContinues(300);
    void call.turns.voiceEnded({ voiceMs: 300, silenceMs: 250, words: new Promise(() => undefined) });
    call.turns.voiceSuspected(32);
    call.turns.voiceSuspected(0);
    expect(call.mouth.isPaused).toBe(true);
  });

  it('resumes when the audio of a voice stops coming, and notices that nobody speaks', async () => {
    const call = start();
    const greeting = 'This is a long greeting, which nobody would listen to until its end.';
    await call.open(greeting);
    await call.run(1_000);
    call.turns.voiceStarted();
    call.turns.voiceContinues(100);
    await call.run(2_900);
    call.turns.voiceContinues(132);
    await call.run(2_900);
    expect(call.mouth.isPaused).toBe(true);
    await call.run(200);
    expect(call.mouth.isPaused).toBe(false);
    await call.run(60_000);
    expect(call.agentTurns()[0]).toMatchObject({ spokenText: greeting, interrupted: false });
    expect(call.ended()).toBe('silence_timeout');
  });

  it('says whether a voice is over its own', async () => {
    const call = start();
    await call.open('This is a long greeting.');
    const before = call.turns.isSpokenOver;
    call.turns.voiceStarted();
    const during = call.turns.isSpokenOver;
    void call.turns.voiceEnded({ voiceMs: 300, silenceMs: 250, words: Promise.resolve('Mm-hm.') });
    expect([before, during, call.turns.isSpokenOver]).toEqual([false, true, false]);
  });

  it('takes a "yes" over the end of its question for an answer', async () => {
    const call = start();
    await call.open('Do you have an appointment?');
    await call.run(1_200);
    await call.speak('Yes.', 300);
    await call.run(500);
    expect(call.asked).toEqual(['Yes.']);
  });

  it('is interrupted by a long voice before its words are known', async () => {
    const call = start();
    await call.open(
      'This is a long greeting, which nobody would listen to until its end, because it goes on.',
    );
    await call.run(500);
    await call.speak('Yes yes yes yes', 1_600, new Promise(() => undefined));
    await call.run(100);
    expect(call.agentTurns()[0]).toMatchObject({ interrupted: true });
  });

  it('does not stay silent when the words of a short voice are late', async () => {
    const call = start();
    await call.open(
      'This is a long greeting, which nobody would listen to until its end, because it goes on.',
    );
    await call.run(500);
    await call.speak('', 300, new Promise(() => undefined));
    expect(call.mouth.isPaused).toBe(true);
    await call.run(500);
    expect(call.mouth.isPaused).toBe(false);
  });

  it('asks for a moment when recognition takes long, once, and answers afterwards', async () => {
    const call = start();
    await call.open();
    await call.run(1_000);
    const late = new Promise<string>((resolve) => setTimeout(() => resolve('Are you open?'), 4_500));
    await call.speak('', 800, late);
    await call.run(6_000);
    expect(call.mouth.said).toEqual(['Hello.', 'One moment, please.', 'You said: Are you open?']);
    expect(call.heard).toHaveLength(2);
  });

  it('asks for a moment when the model takes long, and not over the first words of an answer', async () => {
    const answerAfter = (ms: number): Partial<ConversationPort> => ({
      answer: async function* (): AsyncGenerator<ConversationEvent> {
        await new Promise((resolve) => setTimeout(resolve, ms));
        yield { type: 'say', delta: 'At nine.' };
      },
    });
    for (const [ms, said] of [
      [3_000, ['One moment, please.', 'At nine.']],
      [1_000, ['At nine.']],
    ] as const) {
      const call = start(answerAfter(ms));
      await call.open();
      await call.run(1_000);
      await call.speak('When do you open?');
      await call.run(6_000);
      expect(call.mouth.said.slice(1)).toEqual(said);
    }
  });

  it('is interrupted in a moment that it asks for, and in the answer behind it', async () => {
    const call = start({
      answer: async function* (): AsyncGenerator<ConversationEvent> {
        await new Promise((resolve) => setTimeout(resolve, 1_300));
        yield { type: 'say', delta: 'A long answer that nobody wants to hear any more.' };
      },
    });
    await call.open();
    await call.run(1_000);
    await call.speak('When do you open?');
    await call.run(1_700);
    await call.speak('Stop, please, I have another question.', 1_600);
    const before = call.agentTurns().filter(({ text }) => text !== 'Hello.');
    expect(before.map(({ interrupted }) => interrupted)).toEqual([true, true]);
    await call.run(1_000);
    call.turns.finish('user_hangup');
    await call.run(6_000);
  });

  it('prompts a silent caller once, then says goodbye and ends with silence_timeout', async () => {
    const call = start();
    await call.open();
    await call.run(10_000);
    await call.run(2_000);
    expect(call.mouth.said).toEqual(['Hello.', 'Are you still there?']);
    expect(call.ended()).toBeUndefined();
    await call.run(30_000);
    expect(call.mouth.said.at(-1)).toMatch(/Goodbye\.$/);
    expect(call.ended()).toBe('silence_timeout');
  });

  it('forgets the prompt when the caller speaks again', async () => {
    const call = start();
    await call.open();
    await call.run(13_000);
    await call.speak('I am here.');
    await call.run(14_000);
    expect(call.mouth.said).toEqual([
      'Hello.',
      'Are you still there?',
      'You said: I am here.',
      'Are you still there?',
    ]);
  });

  it('asks to repeat when no word of an answer comes, and ends with error_llm the second time', async () => {
    const call = start({
      answer: async function* (_, { signal }): AsyncGenerator<ConversationEvent> {
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
        yield { type: 'say', delta: 'never' };
      },
    });
    await call.open();
    await call.run(1_000);
    await call.speak('What time do you open?');
    await call.run(14_000);
    expect(call.mouth.said.at(-1)).toMatch(/say that again/);
    await call.speak('What time do you open?');
    await call.run(20_000);
    expect(call.ended()).toBe('error_llm');
  });

  it('says that it cannot hear, and ends with error_stt, when no recognizer is left', async () => {
    const call = start();
    await call.open();
    await call.run(1_000);
    await call.speak('', 500, Promise.reject(new Error('no recognizer')));
    await call.run(10_000);
    expect(call.mouth.said.at(-1)).toMatch(/cannot hear you/);
    expect(call.ended()).toBe('error_stt');
  });

  it('ends with error_tts, and no word as heard, when no synthesizer is left', async () => {
    const call = start();
    call.mouth.error = new Error('no synthesizer');
    await call.open();
    await call.run(100);
    expect(call.ended()).toBe('error_tts');
    expect(call.agentTurns()).toMatchObject([{ text: 'Hello.', spokenText: '' }]);
  });

  it('takes keys as words after a pause, and stops speaking at the first one', async () => {
    const call = start();
    await call.open('Please key in your customer number, and press the pound key when you are done with it.');
    await call.run(1_000);
    for (const key of '4711') call.turns.key(key);
    await call.run(100);
    expect(call.agentTurns()[0]).toMatchObject({ interrupted: true });
    call.turns.key('#');
    await call.run(100);
    expect(call.asked).toEqual(['4 7 1 1']);
  });

  it('hangs up after the last sentence has sounded', async () => {
    const call = start();
    await call.open();
    await call.run(1_000);
    await call.speak('That was all, goodbye.');
    expect(call.ended()).toBeUndefined();
    await call.run(5_000);
    expect(call.ended()).toBe('agent_hangup');
    expect(call.agentTurns().at(-1)).toMatchObject({ interrupted: false });
  });

  it('ends although an answer goes on after its abort', async () => {
    const call = start({
      answer: async function* (): AsyncGenerator<ConversationEvent> {
        await new Promise(() => undefined);
        yield { type: 'say', delta: 'never' };
      },
    });
    await call.open();
    await call.run(1_000);
    await call.speak('Where is my order?');
    call.turns.finish('user_hangup');
    await call.run(5_000);
    expect(call.ended()).toBe('user_hangup');
  });

  it('ignores what is heard before the call is answered', async () => {
    const call = start();
    await call.speak('The person you are calling is not available.');
    await call.run(5_000);
    await call.open();
    expect(call.asked).toEqual([]);
  });

  it('records the greeting as far as it was heard when the caller hangs up in it', async () => {
    const { turns, open, run, ended, agentTurns } = start();
    await open('Good day, this is the practice of Doctor Meier. How can I help you?');
    await run(1_200);
    turns.finish('user_hangup');
    await run(100);
    expect(ended()).toBe('user_hangup');
    const [greeting] = agentTurns();
    expect(greeting?.interrupted).toBe(true);
    expect(greeting?.text).toMatch(/^Good day, this is/);
    expect(greeting?.spokenText?.length).toBeGreaterThan(10);
    expect(greeting?.spokenText?.length).toBeLessThan(30);
  });

  it('takes forty seconds of voice without a pause as one turn', async () => {
    const { open, run, speak, asked } = start();
    await open();
    await run(1_000);
    await speak('a very long story', 40_000);
    await run(2_000);
    expect(asked).toEqual(['a very long story']);
  });

  it('gives way to a caller who talks over every answer, and answers the last words in full', async () => {
    const { open, run, speak, asked, agentTurns } = start();
    await open('Good day, this is the practice of Doctor Meier. How can I help you?');
    for (const words of ['No, listen to me', 'And another thing that I want', 'One more thing for you']) {
      await speak(words, 1_800);
      await run(600);
    }
    await run(10_000);
    expect(asked).toEqual(['No, listen to me', 'And another thing that I want', 'One more thing for you']);
    expect(agentTurns().map(({ interrupted }) => interrupted)).toEqual([true, true, true, false]);
  });

  it('answers a voice without words as a turn that was not understood', async () => {
    const { open, run, speak, asked } = start();
    await open();
    await run(1_000);
    await speak('', 1_500);
    await run(10_000);
    await speak('four', 600);
    await run(10_000);
    expect(asked).toEqual(['…', 'four']);
  });

  it('takes the words alone where only a part of a turn has some', async () => {
    const { open, run, speak, asked } = start();
    await open();
    await run(1_000);
    await speak('', 800, undefined, 0);
    await speak('at seven', 800);
    await run(10_000);
    expect(asked).toEqual(['at seven']);
  });

  it('makes no turn of a short sound without words, and of none over the agent', async () => {
    const { open, run, speak, asked } = start();
    await open('Good day, this is the practice of Doctor Meier. How can I help you?');
    await run(500);
    await speak('', 1_200);
    await run(10_000);
    await speak('', 300);
    await run(1_000);
    expect(asked).toEqual([]);
  });

  it('answers a continuous noise a few times, and still detects that nobody speaks', async () => {
    const { open, run, speak, asked, mouth, ended } = start();
    await open();
    await run(1_000);
    for (let sound = 0; sound < 8; sound += 1) {
      await speak('', 1_500);
      await run(2_500);
    }
    await run(45_000);
    expect(asked).toEqual(['…', '…', '…', '…']);
    expect(mouth.said).toContain('Are you still there?');
    expect(ended()).toBe('silence_timeout');
  });
});

describe('the report of a call', () => {
  it('counts tokens of prompts and of answers apart', () => {
    const report = new CallReport({ report: async () => undefined });
    for (const direction of ['input', 'output', 'input'] as const)
      report.use({
        kind: 'llm',
        quantity: 10,
        unit: 'token',
        provider: 'openai',
        model: 'openai/a',
        direction,
      });
    expect(report.summary().usage?.map(({ direction, quantity }) => [direction, quantity])).toEqual([
      ['input', 20],
      ['output', 10],
    ]);
  });
});
