// npm run voice:measure -- --sip --fallbacks: how long a caller waits when a provider fails in the middle of a call.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningOpenAi, startOpenAi } from '@parlance/fake-openai';
import { Progress } from '../figures/progress.js';
import { summaryOf } from '../figures/statistics.js';
import { table } from '../figures/table.js';
import { Voices } from '../sound/recorded.js';
import { type SipStage, startSipStage } from './stage.js';
import { Talk } from './talk.js';

const parts = { recognition: 'transcriptions', 'language model': 'chat', speech: 'speech' } as const;
const faults = { fails: '5xx-before', hangs: 'hang-after', 'answers 429': '429' } as const;

const number = '+14155550110';
const question = 'Do you have a table for two people tonight?';
const callerVoice = 'espeak:en-us';
const callsAtOnce = 5;
/** The longest silence that is right. */
const mostMs = 2_000;

interface Waited {
  readonly ms: number | undefined;
  /** The agent has asked for a moment. */
  readonly hasFiller: boolean;
}

export interface FallbackRow {
  readonly part: string;
  readonly fault: string;
  readonly calls: number;
  readonly withinLimit: number;
  readonly fillers: number;
  readonly p50: number | null;
  readonly max: number | null;
}

/** Each model has one at the other server behind it. */
const modelsFile = (first: RunningOpenAi, second: RunningOpenAi): object => {
  const entry = (kind: string, name: string, { url }: RunningOpenAi, fallbacks: readonly string[]) => ({
    id: `custom/${name}`,
    kind,
    name,
    baseUrl: url,
    model: name,
    languages: ['*'],
    fallbacks,
    ...(kind === 'tts' && { voices: [{ id: 'alloy', name: 'Alloy', languages: ['en'] }] }),
  });
  const pair = (kind: string) => [
    entry(kind, kind, first, [`custom/${kind}-2`]),
    entry(kind, `${kind}-2`, second, []),
  ];
  return { models: ['stt', 'llm', 'tts'].flatMap(pair) };
};

/** Calls that are answered once, and then asked again with the fault. */
const callsWith = async (
  stage: SipStage,
  voices: Voices,
  count: number,
  setFault: () => void,
): Promise<readonly Waited[]> => {
  const talks = await Promise.all(
    Array.from({ length: count }, () => Talk.begin(stage, voices, { to: number, voice: callerVoice })),
  );
  const inAll = <T>(run: (talk: Talk) => Promise<T>): Promise<T[]> => Promise.all(talks.map(run));
  await inAll(async (talk) => {
    await talk.greeting();
    await talk.listened();
    await talk.ask(question);
    await talk.listened();
  });
  setFault();
  return inAll(async (talk) => {
    const { responseMs } = await talk.ask(question);
    await talk.listened();
    const { transcript } = await talk.finish();
    return { ms: responseMs, hasFiller: transcript.some(({ text }) => text === 'One moment, please.') };
  });
};

const rowOf = (part: string, fault: string, waits: readonly Waited[]): FallbackRow => {
  const { p50, max } = summaryOf(waits.flatMap(({ ms }) => (ms === undefined ? [] : [ms])));
  return {
    part,
    fault,
    calls: waits.length,
    withinLimit: waits.filter(({ ms }) => ms !== undefined && ms <= mostMs).length,
    fillers: waits.filter(({ hasFiller }) => hasFiller).length,
    p50,
    max,
  };
};

const ms = (value: number | null): string => (value === null ? '-' : `${Math.round(value)} ms`);

const show = (rows: readonly FallbackRow[]): string =>
  `${table(
    ['provider', 'fault', 'calls', `within ${mostMs} ms`, '"one moment"', 'p50', 'max'],
    rows.map(({ part, fault, calls, withinLimit, fillers, p50, max }) => [
      part,
      fault,
      `${calls}`,
      `${withinLimit}`,
      `${fillers}`,
      ms(p50),
      ms(max),
    ]),
  )}\n`;

export interface FallbackOptions {
  /** Of each fault. */
  readonly calls: number;
  readonly dataFolder: string;
  readonly signal: AbortSignal;
}

export const measureFallbacks = async ({
  calls,
  dataFolder,
  signal,
}: FallbackOptions): Promise<{ readonly report: object; readonly text: string }> => {
  const folder = mkdtempSync(join(tmpdir(), 'parlance-fallbacks-'));
  const [first, second] = await Promise.all([startOpenAi(), startOpenAi()]);
  const file = join(folder, 'models.json');
  writeFileSync(file, JSON.stringify(modelsFile(first, second)));
  const models = {
    sttModel: 'custom/stt',
    llmModel: 'custom/llm',
    ttsModel: 'custom/tts',
    voiceId: 'custom/tts/alloy',
  };
  const rows: FallbackRow[] = [];
  const progress = new Progress('faults', Object.keys(parts).length * Object.keys(faults).length * calls);
  let stage: SipStage | undefined;
  try {
    stage = await startSipStage({
      numbers: { [number]: models },
      environment: { MODELS_FILE: file, EGRESS_ALLOW_PRIVATE: '127.0.0.0/8' },
      maxCalls: callsAtOnce + 2,
      signal,
    });
    // No server is asked for a voice of espeak-ng.
    const voices = new Voices({ url: first.url, key: '' }, join(dataFolder, 'voice', 'recordings'));
    let done = 0;
    for (const [part, target] of Object.entries(parts))
      for (const [fault, mode] of Object.entries(faults)) {
        const waits: Waited[] = [];
        while (waits.length < calls && !signal.aborted) {
          const count = Math.min(callsAtOnce, calls - waits.length);
          waits.push(...(await callsWith(stage, voices, count, () => first.faults.set({ target, mode }))));
          first.faults.clear();
          done += count;
          progress.at(done);
        }
        rows.push(rowOf(part, fault, waits));
      }
    return { report: rows, text: show(rows) };
  } finally {
    await stage?.stop();
    await Promise.all([first.stop(), second.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
};
