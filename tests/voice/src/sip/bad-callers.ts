// Callers and audio that are not as they should be, and keys. Each case has the behaviour that is right.

import { Progress } from '../figures/progress.js';
import type { FinishedCall } from '../setting/platform.js';
import { clipped, music, telephoneRate } from '../sound/audio.js';
import { longQuestion, numbers, questions } from './agents.js';
import type { Bench } from './measurements.js';
import { delay, englishVoices, Talk } from './talk.js';

export interface CaseResult {
  readonly name: string;
  readonly expected: string;
  readonly isRight: boolean;
  /** What happened. */
  readonly seen: string;
}

interface Case {
  readonly name: string;
  readonly expected: string;
  run(bench: Bench): Promise<{ readonly isRight: boolean; readonly seen: string }>;
}

const begin = (bench: Bench, to: string): Promise<Talk> =>
  Talk.begin(bench.stage, bench.voices, { to, voice: englishVoices[1] });

const linesOf = ({ transcript }: FinishedCall): string =>
  transcript
    .map(({ role, text, spokenText, interrupted }) =>
      interrupted ? `${role}: ${spokenText ?? ''} [interrupted]` : `${role}: ${text}`,
    )
    .join(' | ')
    .slice(0, 400);

const usersOf = ({ transcript }: FinishedCall): readonly string[] =>
  transcript.flatMap(({ role, text }) => (role === 'user' ? [text] : []));

const agentsOf = ({ transcript }: FinishedCall): string =>
  transcript.flatMap(({ role, text }) => (role === 'agent' ? [text] : [])).join(' ');

const endedByAgent = async (talk: Talk, withinMs: number): Promise<boolean> => {
  await Promise.race([talk.telephone.over, delay(withinMs)]);
  return talk.telephone.isOver;
};

const [refund] = questions;
const refundQuestion = refund?.text ?? '';
const refundAnswer = refund?.answer ?? '';

/** A question after whatever came before: the call works. */
const stillAnswers = async (talk: Talk): Promise<void> => {
  await talk.listened();
  await talk.ask(refundQuestion);
  await talk.listened();
};

const cases: readonly Case[] = [
  {
    name: 'never speaks',
    expected: 'is asked whether anybody is there, told goodbye, and hung up on as silence_timeout',
    run: async (bench) => {
      const talk = await begin(bench, numbers.impatient);
      const isOver = await endedByAgent(talk, 60_000);
      const call = await talk.finish();
      const isRight =
        isOver && call.endedReason === 'silence_timeout' && /still there.*Goodbye/.test(agentsOf(call));
      return { isRight, seen: `${call.endedReason}: ${linesOf(call)}` };
    },
  },
  {
    name: 'music',
    expected: 'no words are made of ten seconds of music, and the next question is answered',
    run: async (bench) => {
      const talk = await begin(bench, numbers.answers);
      await talk.greeting();
      await talk.listened();
      await talk.telephone.speak(music(10, telephoneRate));
      await stillAnswers(talk);
      const call = await talk.finish();
      const users = usersOf(call);
      return { isRight: users.length === 1 && agentsOf(call).includes(refundAnswer), seen: linesOf(call) };
    },
  },
  {
    name: 'speaks for 40 s without a pause',
    expected: 'is answered once it ends, and the next question is answered',
    run: async (bench) => {
      const talk = await begin(bench, numbers.answers);
      await talk.greeting();
      await talk.listened();
      const sentence = await bench.voices.say(longQuestion.answer, englishVoices[1], telephoneRate);
      const length = 40 * telephoneRate;
      const monologue = Int16Array.from({ length }, (_, index) => sentence[index % sentence.length] ?? 0);
      const { endedAt } = await talk.telephone.speak(monologue);
      const at = await talk.telephone.soundAfter(endedAt, 30_000);
      await stillAnswers(talk);
      const call = await talk.finish();
      const isRight = at !== undefined && agentsOf(call).includes(refundAnswer);
      return { isRight, seen: `answered after ${at && Math.round(at - endedAt)} ms: ${linesOf(call)}` };
    },
  },
  {
    name: 'clipped microphone',
    expected: 'the question is understood',
    run: async (bench) => {
      const talk = await begin(bench, numbers.answers);
      await talk.greeting();
      await talk.listened();
      const voice = await bench.voices.say(refundQuestion, englishVoices[1], telephoneRate);
      const { endedAt } = await talk.telephone.speak(clipped(voice));
      await talk.telephone.soundAfter(endedAt);
      await talk.listened();
      const call = await talk.finish();
      return { isRight: agentsOf(call).includes(refundAnswer), seen: linesOf(call) };
    },
  },
  {
    name: 'hangs up before the greeting',
    expected: 'the call is on record as user_hangup',
    run: async (bench) => {
      const talk = await begin(bench, numbers.long);
      const call = await talk.finish();
      return { isRight: call.endedReason === 'user_hangup', seen: `${call.endedReason}: ${linesOf(call)}` };
    },
  },
  {
    name: 'hangs up in the greeting',
    expected: 'the record has the greeting as far as it was heard, and user_hangup',
    run: async (bench) => {
      const talk = await begin(bench, numbers.long);
      await talk.greeting();
      await delay(2_500);
      const call = await talk.finish();
      const [first] = call.transcript;
      const isRight =
        call.endedReason === 'user_hangup' &&
        first?.interrupted === true &&
        (first.spokenText?.length ?? 0) < first.text.length / 2;
      return { isRight, seen: `${call.endedReason}: ${linesOf(call)}` };
    },
  },
  {
    name: 'talks over everything',
    expected: 'the agent gives way each time, and the last question is answered',
    run: async (bench) => {
      const talk = await begin(bench, numbers.long);
      await talk.greeting();
      for (const { text } of questions.slice(1, 5)) {
        await talk.say(text);
        await talk.telephone.soundAfter(talk.telephone.sounds.last ?? 0, 3_000);
      }
      await stillAnswers(talk);
      const call = await talk.finish();
      const interrupted = call.transcript.filter((turn) => turn.interrupted).length;
      return {
        isRight: interrupted >= 2 && agentsOf(call).includes(refundAnswer),
        seen: `${interrupted} answers interrupted: ${linesOf(call)}`,
      };
    },
  },
  {
    name: 'changes language',
    expected: 'the German sentence gets an answer, and the next English question is answered',
    run: async (bench) => {
      const talk = await begin(bench, numbers.answers);
      await talk.greeting();
      await talk.listened();
      const german = await bench.voices.say(
        'Sprechen Sie auch Deutsch? Ich möchte einen Termin.',
        'espeak:de',
        telephoneRate,
      );
      const { endedAt } = await talk.telephone.speak(german);
      const at = await talk.telephone.soundAfter(endedAt);
      await stillAnswers(talk);
      const call = await talk.finish();
      return { isRight: at !== undefined && agentsOf(call).includes(refundAnswer), seen: linesOf(call) };
    },
  },
  {
    name: 'keys a number in (RFC 4733)',
    expected: 'the digits are read back, each of them',
    run: async (bench) => {
      const talk = await begin(bench, numbers.asks);
      await talk.greeting();
      await talk.listened();
      await talk.ask('Hello, please call me back tomorrow.');
      await talk.listened();
      const { endedAt } = await talk.telephone.press('2125550123#');
      await talk.telephone.soundAfter(endedAt);
      await talk.listened();
      const call = await talk.finish();
      return { isRight: agentsOf(call).includes('+ 1 2 1 2 5 5 5 0 1 2 3'), seen: linesOf(call) };
    },
  },
  {
    name: 'keys a number in over the question',
    expected: 'the question stops at the first key, and no digit is lost',
    run: async (bench) => {
      const talk = await begin(bench, numbers.asks);
      await talk.greeting();
      await talk.listened();
      await talk.ask('Hello, please call me back tomorrow.');
      await delay(300);
      const { endedAt } = await talk.telephone.press('2125550123#');
      await talk.telephone.soundAfter(endedAt);
      await talk.listened();
      const call = await talk.finish();
      const keyed = usersOf(call).some((text) => text.replaceAll(' ', '') === '2125550123');
      return { isRight: keyed, seen: linesOf(call) };
    },
  },
];

/** @param only a part of the names of the cases to run */
export const runCases = async (bench: Bench, only: string): Promise<readonly CaseResult[]> => {
  const chosen = cases.filter(({ name }) => name.includes(only));
  const progress = new Progress('cases', chosen.length);
  const results: CaseResult[] = [];
  for (const { name, expected, run } of chosen) {
    if (bench.signal.aborted) break;
    const result = await run(bench).catch((error: unknown) => ({ isRight: false, seen: String(error) }));
    results.push({ name, expected, ...result });
    progress.at(results.length);
  }
  return results;
};
