// The conversation with a visitor of a website: the agent greets, and answers all spoken and typed words until the
// visitor leaves. The record of the visitor holds the typed words, the keys that were heard, and the spans of speech.
import { pressed } from '@parlance/fake-kit/tones';
import {
  fillVariables,
  questionsFor,
  scriptFor,
  variablesOf,
  type Line as Words,
} from '@parlance/fake-livekit';
import { createEar, type Spoken } from './ear.js';
import type { Over } from './heard.js';
import { byTime, type Talk, type Talking, type TalkOptions, unlessOver } from './talk.js';
import type { VisitorLine } from './visitor-line.js';
import type { Sound } from './voice.js';

/** With `patienceMs`: a visitor who neither speaks nor types for so long is gone. */
export interface VisitorTalkOptions extends Omit<TalkOptions, 'line'> {
  readonly line: Pick<VisitorLine, 'over' | 'say' | 'captions'>;
}

export interface VisitorTalking extends Talking {
  /** Takes a text that the visitor has typed. */
  read(text: string): void;
}

const patient = 5 * 60_000;
const keysOnly = /^[\d*#A-D](?: [\d*#A-D])*$/;

const durationOf = ({ samples, sampleRate }: Sound): number => (samples.length / sampleRate) * 1_000;

/** Begins to talk at once. */
export const startVisitorTalk = (options: VisitorTalkOptions): VisitorTalking => {
  const { line, voice, context, config, found, abilities, answeredAt, patienceMs = patient } = options;
  const { captions } = line;
  const language = config.agent_language;
  const nowMs = (): number => Date.now() - answeredAt.getTime();
  let told = 0;
  const tell = (turn: Spoken): void => {
    options.onTurn?.({ seq: told, ...turn });
    told += 1;
  };
  const ear = createEar({
    language,
    nowMs,
    speaker: 'visitor',
    onTurn: (turn, how) => {
      tell(turn);
      // The page itself shows typed words.
      if (how === 'heard') void captions.heard(turn.text);
    },
  });
  const limit = new AbortController();
  const until = AbortSignal.any([line.over, limit.signal]);
  const variables = variablesOf(context, config);
  const said: Spoken[] = [];
  const responseMs: number[] = [];

  /** The end of the turn that waits for its answer. */
  let waitingMs: number | undefined;

  const play = async (words: Words, sound: Sound): Promise<void> => {
    if (until.aborted) return;
    const startMs = nowMs();
    if (waitingMs !== undefined) responseMs.push(Math.max(0, startMs - waitingMs));
    waitingMs = undefined;
    const turn = { ...words, startMs, endMs: startMs, language };
    said.push(turn);
    await captions.setState('speaking');
    await captions.follow(words.text, durationOf(sound), line.say(sound, until));
    turn.endMs = nowMs();
    tell(turn);
  };
  const agent = (text: string): Words => ({ role: 'agent', text });
  const note = (words: Words): void => {
    const endMs = nowMs();
    const turn = { ...words, startMs: endMs - (words.toolCall?.durationMs ?? 0), endMs, language };
    said.push(turn);
    tell(turn);
  };
  const say = async (words: Words): Promise<void> =>
    words.role === 'tool' ? note(words) : play(words, await voice(words.text, language));

  const script = scriptFor(language);
  const [first, ...others] = script.exchanges.map((exchange) => async () => [agent(exchange.agent)]);
  const errands = questionsFor(abilities, found, script, variables).map(({ answer }) => answer);
  /** The script, with each ability used once after its first sentence. Its last sentence answers all that comes later. */
  const answers = [first, ...errands, ...others].filter((answer) => answer !== undefined);
  const answerAt = (place: number): (() => Promise<Words[]>) =>
    answers[Math.min(place, answers.length - 1)] ?? (async () => []);

  const converse = async (): Promise<void> => {
    await say(agent(fillVariables(context.firstMessage ?? config.firstMessage, variables)));
    let read = 0;
    for (let place = 0; !until.aborted; place += 1) {
      await captions.setState('listening');
      await ear.more(read, patienceMs, until);
      // Turns that came meanwhile are answered together.
      const turn = ear.turns.at(-1);
      if (turn === undefined || ear.turns.length === read || until.aborted) return;
      read = ear.turns.length;
      waitingMs = turn.endMs;
      await captions.setState('thinking');
      for (const words of await unlessOver(answerAt(place), until)) await say(words);
      // Keys are pressed again, so that the visitor hears that they were understood.
      if (keysOnly.test(turn.text)) await play(agent(turn.text), pressed(turn.text));
    }
  };

  const endOf = (): Pick<Talk, 'endedReason' | 'endedAt'> => {
    const over: Over | undefined = line.over.reason; // a line aborts its signal with nothing else
    if (over !== undefined) return { endedReason: over.ending, endedAt: over.at };
    return {
      endedReason: limit.signal.aborted ? 'max_duration_reached' : 'silence_timeout',
      endedAt: new Date(),
    };
  };

  const talk = async (): Promise<Talk> => {
    const { maxDurationSeconds } = context;
    const timer =
      maxDurationSeconds === null ? undefined : setTimeout(() => limit.abort(), maxDurationSeconds * 1_000);
    await converse().finally(() => clearTimeout(timer));
    ear.close();
    return {
      ...endOf(),
      answeredBy: ear.turns.length === 0 ? 'no_speech' : 'human',
      transcript: [...said, ...ear.turns].sort(byTime).map((turn, seq) => ({ seq, ...turn })),
      responseMs,
    };
  };
  return { hear: ear.hear, read: ear.read, done: talk() };
};
