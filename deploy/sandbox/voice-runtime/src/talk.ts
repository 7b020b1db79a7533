// One conversation: the agent greets, answers each time that the telephone has said something, and says goodbye. The words
// of the telephone are the keys that were really heard; nothing is written down that was not on the line.

import type { CallContext } from '@parlance/contracts';
import { createToneListener, type Heard, pressed } from '@parlance/sandbox-kit/tones';
import {
  fillVariables,
  type RuntimeConfiguration,
  scriptFor,
  type Turn,
  variablesOf,
} from '@parlance/sandbox-livekit';
import type { Ending } from './endings.js';
import { heardRate, type Over } from './heard.js';
import type { Line } from './line.js';
import type { Sound, Voice } from './voice.js';

/** The agent answers so many times before it says goodbye. */
const answers = 2;

export interface Talk {
  readonly endedReason: Ending | 'agent_hangup' | 'voicemail_reached' | 'silence_timeout' | 'error_runtime';
  readonly endedAt: Date;
  readonly answeredBy: 'human' | 'machine_voicemail' | 'no_speech';
  readonly transcript: readonly Turn[];
  /** Milliseconds from the end of a turn of the telephone to the first sound of the answer. */
  readonly responseMs: readonly number[];
}

export interface TalkOptions {
  readonly line: Pick<Line, 'over' | 'say'>;
  readonly voice: Voice;
  readonly context: CallContext;
  readonly config: RuntimeConfiguration;
  readonly answeredAt: Date;
  /** An agent that is not answered for so long ends the call. */
  readonly patienceMs?: number;
}

export interface Talking {
  /** Takes the samples of the telephone, in their order. */
  hear(samples: Int16Array): void;
  /** Resolves when the agent has nothing more to say, or the call is over. */
  readonly done: Promise<Talk>;
}

type Spoken = Omit<Turn, 'seq'>;

/** Keys as a person reads them out: 1 2 0 0. */
const wordsOf = (heard: Heard): string => (heard.kind === 'keys' ? [...heard.keys].join(' ') : '(a beep)');

/** Collects what the telephone says, and wakes the agent up. */
const createEar = (language: string, nowMs: () => number) => {
  const listener = createToneListener(heardRate);
  const turns: Spoken[] = [];
  let startedMs: number | undefined;
  let wake: () => void = () => undefined;
  const beep = new AbortController();
  const note = (heard: readonly Heard[]): void => {
    for (const part of heard) {
      const offset = startedMs ?? 0;
      const [startMs, endMs] = [Math.round(part.startMs + offset), Math.round(part.endMs + offset)];
      turns.push({ role: 'user', text: wordsOf(part), startMs, endMs, language });
      if (part.kind === 'beep') beep.abort();
    }
    if (heard.length > 0) wake();
  };
  return {
    turns,
    beep: beep.signal,
    hear: (samples: Int16Array) => {
      startedMs ??= nowMs();
      note(listener.hear(samples));
    },
    close: () => note(listener.end()),
    /** Resolves when there are more turns than `known`, or the time is over, or the signal is aborted. */
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

const byTime = (a: Spoken, b: Spoken): number => a.startMs - b.startMs;

/** Begins to talk at once. */
export const startTalk = (options: TalkOptions): Talking => {
  const { line, voice, context, config, answeredAt, patienceMs = 6_000 } = options;
  const language = config.agent_language;
  const nowMs = (): number => Date.now() - answeredAt.getTime();
  const ear = createEar(language, nowMs);
  const variables = variablesOf(context, config);
  const said: Spoken[] = [];
  const responseMs: number[] = [];

  const play = async (text: string, sound: Sound, until: AbortSignal): Promise<void> => {
    if (until.aborted) return;
    const startMs = nowMs();
    const last = ear.turns.at(-1);
    if (last !== undefined && said.length > 0) responseMs.push(Math.max(0, startMs - last.endMs));
    const turn = { role: 'agent' as const, text, startMs, endMs: startMs, language };
    said.push(turn);
    await line.say(sound, until);
    turn.endMs = nowMs();
  };

  const say = async (text: string, until: AbortSignal): Promise<void> =>
    play(text, await voice(text, language), until);

  /** Presses the keys that were heard last, so that the telephone can tell that it was understood. */
  const repeat = async (until: AbortSignal): Promise<void> => {
    const heard = ear.turns.at(-1)?.text ?? '';
    await play(heard, pressed(heard), until);
  };

  const greetAndAnswer = async (): Promise<void> => {
    // An agent that is told to go on talks to machines as it talks to people.
    const until = config.voicemail.action === 'continue' ? line.over : AbortSignal.any([line.over, ear.beep]);
    await say(fillVariables(context.firstMessage ?? config.firstMessage, variables), until);
    const script = scriptFor(language);
    for (let answered = 0; answered < answers && !until.aborted; answered += 1) {
      const known = answered === 0 ? 0 : ear.turns.length;
      await ear.more(known, patienceMs, until);
      if (until.aborted || ear.turns.length <= known) return;
      const answer = script.exchanges[answered]?.agent;
      if (answer !== undefined) await say(answer, until);
      if (answered === 0) await repeat(until);
    }
  };

  const leaveMessage = async (): Promise<void> => {
    const { action, message } = config.voicemail;
    if (action === 'leave_message' && message) await say(fillVariables(message, variables), line.over);
  };

  const endOf = (): Pick<Talk, 'endedReason' | 'endedAt'> => {
    const over: Over | undefined = line.over.reason; // a line aborts its signal with nothing else
    if (ear.beep.aborted && (over === undefined || over.ending === 'user_hangup'))
      return { endedReason: 'voicemail_reached', endedAt: over?.at ?? new Date() };
    if (over !== undefined) return { endedReason: over.ending, endedAt: over.at };
    return { endedReason: ear.turns.length === 0 ? 'silence_timeout' : 'agent_hangup', endedAt: new Date() };
  };

  const talk = async (): Promise<Talk> => {
    await greetAndAnswer();
    if (ear.beep.aborted) await leaveMessage();
    ear.close();
    const transcript = [...said, ...ear.turns].sort(byTime).map((turn, seq) => ({ seq, ...turn }));
    const answeredBy = ear.beep.aborted
      ? 'machine_voicemail'
      : ear.turns.length === 0
        ? 'no_speech'
        : 'human';
    return { ...endOf(), answeredBy, transcript, responseMs };
  };
  return { hear: ear.hear, done: talk() };
};
