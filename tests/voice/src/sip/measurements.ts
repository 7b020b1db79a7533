// What a caller on a telephone experiences, part by part.

import { Progress } from '../figures/progress.js';
import { percentile } from '../figures/statistics.js';
import { type WordErrors, wordErrors } from '../figures/word-errors.js';
import { telephoneRate } from '../sound/audio.js';
import type { Voices } from '../sound/recorded.js';
import { backChannels, interruption, longQuestion, numbers, questions } from './agents.js';
import type { SipStage } from './stage.js';
import { delay, englishVoices, germanVoices, Talk } from './talk.js';
import { now } from './telephone.js';

export interface Bench {
  readonly stage: SipStage;
  readonly voices: Voices;
  readonly signal: AbortSignal;
}

const turnsPerCall = 8;

const cycled = <T>(values: readonly T[], index: number): T => {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('there is nothing to choose from');
  return value;
};

export interface TurnFigures {
  readonly responseMs: number[];
  readonly greetingMs: number[];
  readonly words: WordErrors[];
  unanswered: number;
  /** The agent was still speaking, so the turn says nothing about a pause. */
  overlapped: number;
  /** Questions without their own answer in the record. */
  readonly misunderstood: string[];
  readonly failures: string[];
}

export const newTurnFigures = (): TurnFigures => ({
  responseMs: [],
  greetingMs: [],
  words: [],
  unanswered: 0,
  overlapped: 0,
  misunderstood: [],
  failures: [],
});

interface CallOfTurns {
  readonly voice: string;
  readonly first: number;
  readonly count: number;
  readonly onTurn?: () => void;
}

/** Questions, each after the answer to the one before. */
const callOfTurns = async (
  { stage, voices, signal }: Bench,
  figures: TurnFigures,
  { voice, first, count, onTurn }: CallOfTurns,
): Promise<void> => {
  const talk = await Talk.begin(stage, voices, { to: numbers.answers, voice });
  const greetingMs = await talk.greeting();
  if (greetingMs !== undefined) figures.greetingMs.push(greetingMs);
  await talk.listened();
  const asked: (typeof questions)[number][] = [];
  for (let index = 0; index < count && !signal.aborted && !talk.telephone.isOver; index += 1) {
    const question = cycled(questions, first + index);
    asked.push(question);
    const { responseMs, isOverlapped } = await talk.ask(question.text);
    if (isOverlapped) figures.overlapped += 1;
    else if (responseMs === undefined) figures.unanswered += 1;
    else figures.responseMs.push(responseMs);
    onTurn?.();
    await talk.listened();
  }
  const { transcript } = await talk.finish();
  const heard = transcript.filter(({ role }) => role === 'user').map(({ text }) => text);
  figures.words.push(wordErrors(talk.said.join(' '), heard.join(' ')));
  const answers = transcript.filter(({ role }) => role === 'agent').map(({ text }) => text);
  for (const { text, answer } of asked)
    if (!answers.some((given) => given.includes(answer))) figures.misunderstood.push(`"${text}" by ${voice}`);
};

const failed = (figures: { readonly failures: string[] }, error: unknown): void => {
  figures.failures.push(error instanceof Error ? error.message : String(error));
  if (figures.failures.length > 5) throw error;
};

export const measureTurns = async (bench: Bench, turns: number): Promise<TurnFigures> => {
  const figures = newTurnFigures();
  const progress = new Progress('turns', turns);
  let done = 0;
  for (let call = 0; done < turns && !bench.signal.aborted; call += 1)
    try {
      await callOfTurns(bench, figures, {
        voice: cycled(englishVoices, call),
        first: call * turnsPerCall,
        count: Math.min(turnsPerCall, turns - done),
        onTurn: () => {
          done += 1;
          progress.at(done, `p50 ${Math.round(percentile(figures.responseMs, 0.5) ?? 0)} ms`);
        },
      });
    } catch (error) {
      failed(figures, error);
    }
  return figures;
};

export interface GreetingFigures {
  /** The first call: nothing is prepared, and no process has run a call yet. */
  first: number | undefined;
  readonly later: number[];
  silent: number;
  readonly failures: string[];
}

export const measureGreetings = async (bench: Bench, calls: number): Promise<GreetingFigures> => {
  const figures: GreetingFigures = { first: undefined, later: [], silent: 0, failures: [] };
  const progress = new Progress('greetings', calls);
  for (let call = 0; call < calls && !bench.signal.aborted; call += 1)
    try {
      const talk = await Talk.begin(bench.stage, bench.voices, {
        to: numbers.answers,
        voice: englishVoices[0],
      });
      const ms = await talk.greeting();
      if (ms === undefined) figures.silent += 1;
      else if (call === 0) figures.first = ms;
      else figures.later.push(ms);
      await talk.finish();
      progress.at(call + 1);
    } catch (error) {
      failed(figures, error);
    }
  return figures;
};

export interface BargeInFigures {
  readonly silentAfterMs: number[];
  /** The interruption was in the record, and its answer was given. */
  understood: number;
  /** The agent was silent by itself at that moment. */
  missed: number;
  readonly failures: string[];
}

const bargeInsPerCall = 4;
const intoAnswerMs = [1_200, 1_900, 2_600, 3_300] as const;

const callOfBargeIns = async (
  { stage, voices, signal }: Bench,
  figures: BargeInFigures,
  { voice, count, onDone }: { readonly voice: string; readonly count: number; readonly onDone: () => void },
): Promise<void> => {
  const talk = await Talk.begin(stage, voices, { to: numbers.answers, voice });
  await talk.greeting();
  await talk.listened();
  let interrupted = 0;
  for (let index = 0; index < count && !signal.aborted && !talk.telephone.isOver; index += 1) {
    await talk.ask(longQuestion.text);
    await delay(cycled(intoAnswerMs, index));
    // It may be silent between two clauses, where speech is made slower than it is spoken.
    for (let wait = 0; wait < 100 && !talk.telephone.isSpeaking(); wait += 1) await delay(20);
    const result = await talk.interrupt(interruption.text);
    if (result === undefined) figures.missed += 1;
    else {
      interrupted += 1;
      figures.silentAfterMs.push(result.silentAfterMs);
      await talk.telephone.soundAfter(result.endedAt);
    }
    onDone();
    await talk.listened();
  }
  const { transcript } = await talk.finish();
  const answered = transcript.filter(
    ({ role, text }) => role === 'agent' && text.includes(interruption.answer),
  ).length;
  figures.understood += Math.min(answered, interrupted);
};

export const measureBargeIns = async (bench: Bench, count: number): Promise<BargeInFigures> => {
  const figures: BargeInFigures = { silentAfterMs: [], understood: 0, missed: 0, failures: [] };
  const progress = new Progress('barge-ins', count);
  let done = 0;
  for (let call = 0; done < count && !bench.signal.aborted; call += 1)
    try {
      await callOfBargeIns(bench, figures, {
        voice: cycled(englishVoices, call),
        count: Math.min(bargeInsPerCall, count - done),
        onDone: () => {
          done += 1;
          progress.at(done, `p95 ${Math.round(percentile(figures.silentAfterMs, 0.95) ?? 0)} ms`);
        },
      });
    } catch (error) {
      failed(figures, error);
    }
  return figures;
};

export interface BackChannelFigures {
  said: number;
  readonly falseStops: { readonly text: string; readonly voice: string }[];
  /** Audible for less than a third of the two seconds after it: a long pause, whether or not it stopped. */
  halted: number;
  /** Interruptions at the end of each call, and those that the agent stopped for. */
  interruptions: number;
  heard: number;
  readonly failures: string[];
}

const betweenMs = 1_400;
const decidedMs = 2_200;
const mostPerCall = 9;
/** A man's and a woman's. */
const hums = ['hum:115', 'hum:205'] as const;
const hummed: ReadonlySet<string> = new Set(['Mm-hm.', 'Mhm.']);

const userTurns = ({ platform }: SipStage): number =>
  platform.reports.filter(({ type, turn }) => type === 'turn' && turn?.role === 'user').length;

const callOfBackChannels = async (
  { stage, voices, signal }: Bench,
  figures: BackChannelFigures,
  call: { readonly index: number; readonly count: number; readonly onDone: () => void },
): Promise<void> => {
  const isGerman = call.index % 2 === 1;
  const words = backChannels[isGerman ? 'de' : 'en'];
  const voice = cycled<string>(isGerman ? germanVoices : englishVoices, Math.floor(call.index / 2));
  const talk = await Talk.begin(stage, voices, { to: isGerman ? numbers.german : numbers.long, voice });
  await talk.greeting();
  let isStopped = false;
  for (let index = 0; index < call.count && !isStopped && !signal.aborted; index += 1) {
    await delay(betweenMs);
    if (!talk.telephone.isSpeaking()) await talk.telephone.soundAfter(now(), 1_500);
    // The end of the message: what is said now is an answer.
    if (!talk.telephone.isSpeaking()) break;
    const before = userTurns(stage);
    const text = cycled(words, index + call.index);
    const { endedAt } = await talk.say(text, hummed.has(text) ? cycled(hums, call.index + index) : voice);
    await delay(decidedMs);
    figures.said += 1;
    isStopped = userTurns(stage) > before || talk.telephone.isOver;
    if (isStopped) figures.falseStops.push({ text, voice });
    else if (talk.telephone.sounds.audibleMs(endedAt, endedAt + decidedMs) < decidedMs / 3)
      figures.halted += 1;
    call.onDone();
  }
  if (!isStopped && talk.telephone.isSpeaking()) {
    figures.interruptions += 1;
    const before = userTurns(stage);
    const { endedAt } = await talk.say(
      isGerman ? 'Moment bitte, ich habe eine andere Frage.' : interruption.text,
    );
    for (let wait = 0; wait < 100 && userTurns(stage) === before; wait += 1) await delay(50);
    if (userTurns(stage) > before) figures.heard += 1;
    await talk.telephone.soundAfter(endedAt, 3_000);
  }
  await talk.finish();
};

export const measureBackChannels = async (bench: Bench, count: number): Promise<BackChannelFigures> => {
  const figures: BackChannelFigures = {
    said: 0,
    falseStops: [],
    halted: 0,
    interruptions: 0,
    heard: 0,
    failures: [],
  };
  const progress = new Progress('back channels', count);
  for (let index = 0; figures.said < count && !bench.signal.aborted; index += 1)
    try {
      await callOfBackChannels(bench, figures, {
        index,
        count: Math.min(mostPerCall, count - figures.said),
        onDone: () => progress.at(figures.said, `${figures.falseStops.length} false stops`),
      });
    } catch (error) {
      failed(figures, error);
    }
  return figures;
};

export interface AtOnceRow {
  readonly calls: number;
  readonly n: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly unanswered: number;
  readonly failed: number;
}

const turnsAtOnce = 6;
/** Callers do not ring in the same instant. */
const staggerMs = 700;

/** More and more calls at once, until the 95th percentile is twice that of one call. */
export const measureAtOnce = async (bench: Bench, most: number): Promise<readonly AtOnceRow[]> => {
  const rows: AtOnceRow[] = [];
  const progress = new Progress('calls at once', most);
  for (let calls = 1; calls <= most && !bench.signal.aborted; calls += 1) {
    const figures = newTurnFigures();
    // One call has as many turns as its percentile needs.
    const rounds = calls === 1 ? 3 : 1;
    let failures = 0;
    for (let round = 0; round < rounds; round += 1) {
      const results = await Promise.allSettled(
        Array.from({ length: calls }, async (_, index) => {
          await delay(index * staggerMs);
          await callOfTurns(bench, figures, {
            voice: cycled(englishVoices, index),
            first: (index + round) * 3,
            count: turnsAtOnce,
          });
        }),
      );
      failures += results.filter(({ status }) => status === 'rejected').length;
    }
    const p95 = percentile(figures.responseMs, 0.95) ?? null;
    rows.push({
      calls,
      n: figures.responseMs.length,
      p50: percentile(figures.responseMs, 0.5) ?? null,
      p95,
      unanswered: figures.unanswered,
      failed: failures,
    });
    progress.at(calls, `p95 ${p95 === null ? '-' : Math.round(p95)} ms`);
    const [alone] = rows;
    if (p95 === null || (alone?.p95 != null && p95 > 2 * alone.p95)) break;
  }
  return rows;
};

/** Prepares the recordings, so that making them takes no time from a measurement. */
export const recordAll = async ({ voices, signal }: Pick<Bench, 'voices' | 'signal'>): Promise<void> => {
  const english = [...questions, longQuestion, interruption].map(({ text }) => text).concat(backChannels.en);
  const german = [...backChannels.de, 'Moment bitte, ich habe eine andere Frage.'];
  const wanted = [
    ...englishVoices.flatMap((voice) => english.map((text) => [text, voice] as const)),
    ...germanVoices.flatMap((voice) => german.map((text) => [text, voice] as const)),
  ];
  const progress = new Progress('recordings', wanted.length);
  for (const [index, [text, voice]] of wanted.entries()) {
    if (signal.aborted) return;
    await voices.say(text, voice, telephoneRate);
    progress.at(index + 1);
  }
};
