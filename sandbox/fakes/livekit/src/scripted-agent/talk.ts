// One conversation: the agent greets, answers each time that the telephone has said something, and says goodbye. The words
// of the telephone are the keys that were really heard; nothing is written down that was not on the line.
import { once } from 'node:events';
import type { CallContext, RuntimeConfig } from '@parlance/contracts';
import { pressed } from '@parlance/fake-kit/tones';
import type { Abilities } from '../abilities.js';
import { variablesOf } from '../call-context.js';
import type { RuntimeConfiguration, Turn, Line as Words } from '../conversation.js';
import { questionsFor } from '../errands.js';
import { fillVariables, scriptFor } from '../scripts.js';
import { createEar, type Spoken } from './ear.js';
import type { Ending } from './endings.js';
import type { Over } from './heard.js';
import type { TelephoneLine } from './line.js';
import { murmur, type Sound, type Voice } from './voice.js';

export interface Talk {
  readonly endedReason: Ending | 'agent_hangup' | 'voicemail_reached' | 'silence_timeout' | 'error_runtime';
  readonly endedAt: Date;
  readonly answeredBy: 'human' | 'machine_voicemail' | 'no_speech';
  readonly transcript: readonly Turn[];
  /** Milliseconds from the end of a turn of the telephone to the first sound of the answer. */
  readonly responseMs: readonly number[];
}

export interface TalkOptions {
  readonly line: Pick<TelephoneLine, 'over' | 'say' | 'isThere'>;
  readonly voice?: Voice;
  readonly context: CallContext;
  readonly config: RuntimeConfiguration;
  /** The tools and documents of the agent. */
  readonly found: Pick<RuntimeConfig, 'tools' | 'knowledge'>;
  /** Undefined: the call has no token, and the agent answers from its script alone. */
  readonly abilities?: Abilities | undefined;
  /** Gets each turn as soon as it is over, with its place among the turns so far. */
  readonly onTurn?: (turn: Turn) => void;
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

const byTime = (a: Spoken, b: Spoken): number => a.startMs - b.startMs;

/** Nothing when the signal is aborted first: a tool may take a minute longer than the call. */
const unlessOver = async (answer: () => Promise<Words[]>, until: AbortSignal): Promise<Words[]> => {
  if (until.aborted) return [];
  const stop = new AbortController();
  const over = once(until, 'abort', { signal: stop.signal }).then(
    () => [],
    () => [],
  );
  return Promise.race([answer(), over]).finally(() => stop.abort());
};

/** Begins to talk at once. */
export const startTalk = (options: TalkOptions): Talking => {
  const { line, context, config, found, abilities, answeredAt } = options;
  const { voice = murmur, patienceMs = 6_000 } = options;
  const language = config.agent_language;
  const nowMs = (): number => Date.now() - answeredAt.getTime();
  let told = 0;
  const tell = (turn: Spoken): void => {
    options.onTurn?.({ seq: told, ...turn });
    told += 1;
  };
  const ear = createEar({ language, nowMs, onTurn: tell });
  const variables = variablesOf(context, config);
  const said: Spoken[] = [];
  const responseMs: number[] = [];

  const play = async (words: Words, sound: Sound, until: AbortSignal): Promise<void> => {
    if (until.aborted) return;
    const startMs = nowMs();
    const last = ear.turns.at(-1);
    if (last !== undefined && said.length > 0) responseMs.push(Math.max(0, startMs - last.endMs));
    const turn = { ...words, startMs, endMs: startMs, language };
    said.push(turn);
    await line.say(sound, until);
    turn.endMs = nowMs();
    tell(turn);
  };

  const agent = (text: string): Words => ({ role: 'agent', text });

  const say = async (words: Words, until: AbortSignal): Promise<void> =>
    play(words, await voice(words.text), until);

  /** A tool that ran is written down, and not spoken. */
  const note = (words: Words): void => {
    const endMs = nowMs();
    const turn = { ...words, startMs: endMs - (words.toolCall?.durationMs ?? 0), endMs, language };
    said.push(turn);
    tell(turn);
  };

  /** Presses the keys that were heard last, so that the telephone can tell that it was understood. */
  const repeat = async (until: AbortSignal): Promise<void> => {
    const heard = ear.turns.at(-1)?.text ?? '';
    await play(agent(heard), pressed(heard), until);
  };

  /** The first answer is the script's. Then an agent with tools or documents uses each once: keys ask for nothing else. */
  const answers = (): (() => Promise<Words[]>)[] => {
    const script = scriptFor(language);
    const [first, second] = script.exchanges.map((exchange) => async () => [agent(exchange.agent)]);
    const errands = questionsFor(abilities, found, script, variables).map(({ answer }) => answer);
    return [first, ...(errands.length > 0 ? errands : [second])].filter((answer) => answer !== undefined);
  };

  const greetAndAnswer = async (): Promise<void> => {
    // An agent that is told to go on talks to machines as it talks to people.
    const until = config.voicemail.action === 'continue' ? line.over : AbortSignal.any([line.over, ear.beep]);
    await say(agent(fillVariables(context.firstMessage ?? config.firstMessage, variables)), until);
    for (const [answered, answer] of answers().entries()) {
      const known = answered === 0 ? 0 : ear.turns.length;
      await ear.more(known, patienceMs, until);
      if (until.aborted || ear.turns.length <= known) return;
      for (const words of await unlessOver(answer, until))
        await (words.role === 'tool' ? note(words) : say(words, until));
      if (answered === 0) await repeat(until);
    }
  };

  const leaveMessage = async (): Promise<void> => {
    const { action, message } = config.voicemail;
    if (action === 'leave_message' && message) await say(agent(fillVariables(message, variables)), line.over);
  };

  /** Of a line that died unnoticed, the last that is known is what was heard on it. */
  const deadSince = (): Date => new Date(answeredAt.getTime() + (ear.turns.at(-1)?.endMs ?? 0));

  const endOf = async (): Promise<Pick<Talk, 'endedReason' | 'endedAt'>> => {
    const end = endHere();
    if (line.over.aborted || (await line.isThere())) return end;
    return { endedReason: 'media_failure', endedAt: deadSince() };
  };

  const endHere = (): Pick<Talk, 'endedReason' | 'endedAt'> => {
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
    return { ...(await endOf()), answeredBy, transcript, responseMs };
  };
  return { hear: ear.hear, done: talk() };
};
