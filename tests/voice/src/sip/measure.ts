// npm run voice:measure -- --sip: figures of telephone calls, with the goal of each.
import { join } from 'node:path';
import { histogram, type Summary, summaryOf } from '../figures/statistics.js';
import { table } from '../figures/table.js';
import { wordErrorRate } from '../figures/word-errors.js';
import { type Memory, watchMemory } from '../setting/memory.js';
import { startSpeech } from '../setting/speech.js';
import { Voices } from '../sound/recorded.js';
import { configurations, passageFor } from './agents.js';
import { type CaseResult, runCases } from './bad-callers.js';
import {
  type AtOnceRow,
  type Bench,
  measureAtOnce,
  measureBackChannels,
  measureBargeIns,
  measureGreetings,
  measureTurns,
  recordAll,
} from './measurements.js';
import { startSipStage } from './stage.js';

/** How many of each; 0 leaves a part out. */
export interface SipParts {
  readonly turns: number;
  readonly greetings: number;
  readonly bargeIns: number;
  readonly backChannels: number;
  readonly atOnce: number;
  readonly cases: boolean;
  /** A part of the names of the cases to run; empty for all. */
  readonly only: string;
}

export interface SipReport {
  readonly greeting?: { readonly firstMs: number | null; readonly later: Summary; readonly silent: number };
  readonly turns?: {
    readonly response: Summary;
    readonly unanswered: number;
    readonly overlapped: number;
    readonly misunderstood: readonly string[];
    readonly wordErrorRate: number | null;
    readonly words: number;
  };
  readonly bargeIns?: { readonly silence: Summary; readonly understood: number; readonly missed: number };
  readonly backChannels?: {
    readonly said: number;
    readonly falseStops: number;
    readonly at: readonly string[];
    readonly halted: number;
    readonly interruptions: number;
    readonly heard: number;
  };
  readonly atOnce?: readonly AtOnceRow[];
  readonly cases?: readonly CaseResult[];
  readonly memory: { readonly speech: Memory | null; readonly runtime: Memory | null };
  readonly failures: readonly string[];
}

const ms = (value: number | null | undefined): string => (value == null ? '-' : `${Math.round(value)} ms`);
const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;

const row = (name: string, { n, p50, p95, max }: Summary, goal: string): readonly string[] => [
  name,
  `${n}`,
  ms(p50),
  ms(p95),
  ms(max),
  goal,
];

/** The steps of the plot. */
const stepMs = 100;

const rowsOf = ({ greeting, turns, bargeIns }: SipReport): readonly (readonly string[])[] => [
  ...(greeting === undefined ? [] : [row('greeting after the answer', greeting.later, 'p95 700 ms')]),
  ...(turns === undefined
    ? []
    : [row("end of the caller's speech to first sound", turns.response, 'p50 1200 ms, p95 2000 ms')]),
  ...(bargeIns === undefined ? [] : [row('interruption to silence', bargeIns.silence, 'p95 300 ms')]),
];

const memoryRows = ({ memory }: SipReport): readonly (readonly string[])[] =>
  (['speech', 'runtime'] as const).flatMap((name) => {
    const found = memory[name];
    return found === null
      ? []
      : [
          [
            name === 'speech' ? 'speech service' : 'voice runtime',
            `${found.peakMb} MB`,
            `${found.largestMb} MB`,
          ],
        ];
  });

export const show = (report: SipReport, responses: readonly number[]): string => {
  const { greeting, turns, bargeIns, backChannels, atOnce, cases } = report;
  const lines = [
    table(['', 'n', 'p50', 'p95', 'max', 'goal'], rowsOf(report)),
    ...(greeting === undefined
      ? []
      : [`first call: greeting after ${ms(greeting.firstMs)}; calls without a greeting: ${greeting.silent}`]),
    ...(turns === undefined
      ? []
      : [
          `word error rate at 8 kHz µ-law: ${turns.wordErrorRate?.toFixed(3) ?? '-'} of ${turns.words} words (goal 0.2)`,
          `unanswered ${turns.unanswered}, with another answer ${turns.misunderstood.length}, asked over the agent's voice ${turns.overlapped}`,
          ...turns.misunderstood.map((question) => `another answer to ${question}`),
          ...histogram(responses, stepMs),
        ]),
    ...(bargeIns === undefined
      ? []
      : [
          `interruptions answered: ${bargeIns.understood} of ${bargeIns.silence.n}; came in a pause: ${bargeIns.missed}`,
        ]),
    ...(backChannels === undefined
      ? []
      : [
          `false stops: ${backChannels.falseStops} of ${backChannels.said} back channels, ${percent(backChannels.falseStops, backChannels.said)} (goal 5 %)${backChannels.at.length === 0 ? '' : `: ${backChannels.at.join(', ')}`}`,
          `silent for most of two seconds after it: ${backChannels.halted}; real interruptions heard: ${backChannels.heard} of ${backChannels.interruptions}`,
        ]),
    ...(atOnce === undefined
      ? []
      : [
          table(
            ['calls at once', 'turns', 'p50', 'p95', 'unanswered', 'calls failed'],
            atOnce.map(({ calls, n, p50, p95, unanswered, failed }) => [
              `${calls}`,
              `${n}`,
              ms(p50),
              ms(p95),
              `${unanswered}`,
              `${failed}`,
            ]),
          ),
        ]),
    ...(cases ?? []).map(
      ({ name, expected, isRight, seen }) =>
        `${isRight ? 'right' : 'WRONG'}  ${name}: ${expected}\n         ${seen}`,
    ),
    table(['peak of resident memory', 'all processes', 'largest process'], memoryRows(report)),
    ...report.failures.map((failure) => `call failed: ${failure}`),
  ];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
};

export interface SipOptions {
  readonly parts: SipParts;
  readonly dataFolder: string;
  readonly signal: AbortSignal;
}

const greetingOf = async (bench: Bench, calls: number) => {
  const { first, later, silent, failures } = await measureGreetings(bench, calls);
  return { part: { firstMs: first ?? null, later: summaryOf(later), silent }, failures };
};

const turnsOf = async (bench: Bench, count: number) => {
  const figures = await measureTurns(bench, count);
  const { responseMs, unanswered, overlapped, misunderstood, words, failures } = figures;
  return {
    responseMs,
    failures,
    part: {
      response: summaryOf(responseMs),
      unanswered,
      overlapped,
      misunderstood,
      wordErrorRate: wordErrorRate(words),
      words: words.reduce((sum, one) => sum + one.words, 0),
    },
  };
};

const backChannelsOf = async (bench: Bench, count: number) => {
  const { said, falseStops, halted, interruptions, heard, failures } = await measureBackChannels(
    bench,
    count,
  );
  const at = falseStops.map(({ text, voice }) => `"${text}" by ${voice}`);
  return { part: { said, falseStops: falseStops.length, at, halted, interruptions, heard }, failures };
};

/** @throws Error with a sentence that says what is missing */
export const measureSip = async ({
  parts,
  dataFolder,
  signal,
}: SipOptions): Promise<{ readonly report: SipReport; readonly text: string }> => {
  const speech = await startSpeech(dataFolder);
  let stop = async (): Promise<void> => undefined;
  try {
    const voices = new Voices(speech, join(dataFolder, 'voice', 'recordings'));
    await recordAll({ voices, signal });
    const stage = await startSipStage({
      numbers: configurations,
      passageFor,
      signal,
      maxCalls: Math.max(10, parts.atOnce + 2),
      environment: { SPEECH_URL: speech.url, SPEECH_KEY: speech.key },
    });
    stop = () => stage.stop();
    const watches = { speech: watchMemory(speech.pid), runtime: watchMemory(stage.runtimePid) };
    const bench: Bench = { stage, voices, signal };
    // The first call of a runtime is measured apart.
    const greeting = parts.greetings > 0 ? await greetingOf(bench, parts.greetings + 1) : undefined;
    const turns = parts.turns > 0 ? await turnsOf(bench, parts.turns) : undefined;
    const bargeIns = parts.bargeIns > 0 ? await measureBargeIns(bench, parts.bargeIns) : undefined;
    const backChannels = parts.backChannels > 0 ? await backChannelsOf(bench, parts.backChannels) : undefined;
    const cases = parts.cases ? await runCases(bench, parts.only) : undefined;
    const atOnce = parts.atOnce > 0 ? await measureAtOnce(bench, parts.atOnce) : undefined;
    const report: SipReport = {
      ...(greeting && { greeting: greeting.part }),
      ...(turns && { turns: turns.part }),
      ...(bargeIns && {
        bargeIns: {
          silence: summaryOf(bargeIns.silentAfterMs),
          understood: bargeIns.understood,
          missed: bargeIns.missed,
        },
      }),
      ...(backChannels && { backChannels: backChannels.part }),
      ...(atOnce && { atOnce }),
      ...(cases && { cases }),
      memory: {
        speech: watches.speech?.peak() ?? null,
        runtime: watches.runtime?.peak() ?? null,
      },
      failures: [greeting, turns, bargeIns, backChannels].flatMap((part) => part?.failures ?? []),
    };
    for (const watch of Object.values(watches)) watch?.stop();
    return { report, text: show(report, turns?.responseMs ?? []) };
  } finally {
    await stop();
    await speech.stop();
  }
};
