// Calls of four turns, one of which is interrupted and one of which has an "mm-hm" over it.

import { recordedByServer } from '../sound/recorded.js';
import type { Caller } from './caller.js';
import { type Stage, startStage } from './stage.js';

const questions = [
  'How long does a refund take?',
  'Do I get a letter about the refund?',
  'Where is my order A 1001?',
];
const interruption = 'Wait, I have another question. How long does it take?';
const backChannel = 'Okay.';
const goodbye = 'That was all, goodbye.';

/** In Kokoro's voice `onyx`, which the agent does not have. */
const callerVoice = 'onyx';
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** After the agent's last sound: longer than its pauses between sentences. */
const finishedMs = 1_200;
const intoSentenceMs = 1_500;
const betweenClausesMs = 3_000;
const ringMs = 8_000;

interface Figures {
  readonly greeting: number[];
  readonly response: number[];
  readonly bargeIn: number[];
  backChannels: number;
  falseStops: number;
  unanswered: number;
}

const percentile = (values: readonly number[], share: number): string => {
  const sorted = [...values].sort((one, other) => one - other);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  return value === undefined ? '-' : `${value}`;
};

type Recordings = ReadonlyMap<string, Int16Array>;

const record = async (): Promise<Recordings> => {
  const server = {
    url: process.env.SPEECH_URL ?? '',
    key: process.env.SPEECH_KEY ?? '',
    voice: callerVoice,
  };
  const recordings = new Map<string, Int16Array>();
  for (const text of [...questions, interruption, backChannel, goodbye])
    recordings.set(text, await recordedByServer(server, text));
  return recordings;
};

const say = (caller: Caller, recordings: Recordings, text: string): Promise<number> =>
  caller.speak(recordings.get(text) ?? new Int16Array(0));

const isHeard = async (caller: Caller): Promise<boolean> => {
  if (caller.isSpeaking()) return true;
  await caller.soundAfter(Date.now(), betweenClausesMs);
  return caller.isSpeaking();
};

/** @returns the agent's first sound */
const ask = async (
  caller: Caller,
  recordings: Recordings,
  { text, figures }: { readonly text: string; readonly figures: Figures },
): Promise<number | undefined> => {
  const endedAt = await say(caller, recordings, text);
  const soundAt = await caller.soundAfter(endedAt);
  if (soundAt === undefined) figures.unanswered += 1;
  else figures.response.push(soundAt - endedAt);
  return soundAt;
};

const call = async (stage: Stage, recordings: Recordings, figures: Figures): Promise<void> => {
  const ringing = await stage.ring();
  await pause(ringMs);
  const caller = await ringing.answer();
  const answeredAt = Date.now();
  try {
    const greetedAt = await caller.soundAfter(answeredAt - ringMs);
    if (greetedAt !== undefined) figures.greeting.push(Math.max(0, greetedAt - answeredAt));
    await caller.silenceAfter(greetedAt ?? answeredAt, undefined, finishedMs);
    const [first = '', second = '', third = ''] = questions;
    // Interrupted.
    if ((await ask(caller, recordings, { text: first, figures })) !== undefined) {
      await pause(intoSentenceMs);
      // It may be silent between two clauses, where speech is made slower than it is spoken.
      if (await isHeard(caller)) {
        const from = Date.now();
        const endedAt = await say(caller, recordings, interruption);
        figures.bargeIn.push(Math.max(0, caller.quietFrom(from) - from));
        const answered = await caller.soundAfter(endedAt);
        await caller.silenceAfter(answered ?? endedAt, undefined, finishedMs);
      }
    }
    // Listened to.
    if ((await ask(caller, recordings, { text: second, figures })) !== undefined) {
      await pause(intoSentenceMs);
      if (await isHeard(caller)) {
        const endedAt = await say(caller, recordings, backChannel);
        figures.backChannels += 1;
        await caller.silenceAfter((await caller.soundAfter(endedAt)) ?? endedAt, undefined, finishedMs);
      }
    }
    const soundAt = await ask(caller, recordings, { text: third, figures });
    await caller.silenceAfter(soundAt ?? Date.now(), undefined, finishedMs);
    await ask(caller, recordings, { text: goodbye, figures });
    const { transcript } = await stage.record(ringing.callId);
    for (const { role, text, spokenText, interrupted } of transcript)
      process.stdout.write(`  ${role}: ${interrupted ? `${spokenText} [interrupted: ${text}]` : text}\n`);
    // An "okay" that stopped the agent is a turn of its own.
    if (transcript.some(({ role, text }) => role === 'user' && /^ok/i.test(text))) figures.falseStops += 1;
  } finally {
    await caller.leave();
  }
};

export const measure = async (turns: number): Promise<void> => {
  const recordings = await record();
  const stage = await startStage();
  const figures: Figures = {
    greeting: [],
    response: [],
    bargeIn: [],
    backChannels: 0,
    falseStops: 0,
    unanswered: 0,
  };
  try {
    while (figures.response.length + figures.unanswered < turns) {
      await call(stage, recordings, figures);
      process.stdout.write(`${figures.response.length} turns\n`);
    }
  } finally {
    await stage.stop();
  }
  const row = (name: string, values: readonly number[]): void => {
    process.stdout.write(
      `${name.padEnd(44)} n=${values.length} p50=${percentile(values, 0.5)} ms p95=${percentile(values, 0.95)} ms\n`,
    );
  };
  row('greeting after the answer', figures.greeting);
  row("end of the caller's voice to first sound", figures.response);
  row('interruption to silence', figures.bargeIn);
  process.stdout.write(
    `stopped by an "okay": ${figures.falseStops} of ${figures.backChannels}; unanswered: ${figures.unanswered}\n`,
  );
};
