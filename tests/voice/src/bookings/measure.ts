// npm run voice:measure -- --bookings: callers with voices book something, faster than in real time.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Progress } from '../figures/progress.js';
import { table } from '../figures/table.js';
import { wordErrorRate, wordErrors } from '../figures/word-errors.js';
import { startSpeech } from '../setting/speech.js';
import { overTelephone, seeded, telephoneRate, waveOf, withNoise } from '../sound/audio.js';
import { Voices } from '../sound/recorded.js';
import { callersFor, type VoiceCaller } from './callers.js';
import { hold, type Outcome } from './hold.js';
import { Recognitions } from './recognitions.js';

export interface BookingsOptions {
  readonly bookings: number;
  readonly seed: number;
  readonly german: number;
  readonly isEspeak: boolean;
  readonly isShown: boolean;
  /** Recognitions of an earlier run are taken as they were. */
  readonly isReused: boolean;
  readonly dataFolder: string;
  readonly signal: AbortSignal;
}

/** One speaks while another is being recognized. */
const atOnce = 3;
const noiseDecibels = 10;
/** Silence around the voice, as the runtime's voice activity detection leaves it. */
const aroundMs = 300;

const framed = (samples: Int16Array): Int16Array => {
  const around = (aroundMs * telephoneRate) / 1_000;
  const whole = new Int16Array(samples.length + 2 * around);
  whole.set(samples, around);
  return whole;
};

interface Hearing {
  readonly recognitions: Recognitions;
  readonly voices: Voices;
  readonly isReused: boolean;
}

const noiseSeedOf = (caller: number, words: string, time: number): number =>
  createHash('sha256')
    .update(JSON.stringify([caller, words, time]))
    .digest()
    .readUInt32LE();

const hearingOf = (
  { recognitions, voices, isReused }: Hearing,
  { voice, language, isNoisy }: VoiceCaller,
  seed: number,
) => {
  // What is said twice has other noise the second time. Each sentence has its own, so that a dialogue that takes another way
  // does not change the noise of the sentences that it still has.
  const times = new Map<string, number>();
  return async (words: string, prompt: string | undefined): Promise<string> => {
    const said = await voices.say(words, voice, telephoneRate);
    const time = times.get(words) ?? 0;
    times.set(words, time + 1);
    const noisy = isNoisy
      ? withNoise(framed(said), noiseDecibels, seeded(noiseSeedOf(seed, words, time)), said)
      : framed(said);
    return recognitions.wordsIn(waveOf(overTelephone(noisy), telephoneRate), { language, prompt }, isReused);
  };
};

const share = (outcomes: readonly Outcome[]): readonly string[] => {
  const complete = outcomes.filter(({ causes }) => causes.length === 0).length;
  const turns = outcomes.reduce((sum, outcome) => sum + outcome.turns, 0) / Math.max(1, outcomes.length);
  const errors = outcomes.flatMap(({ recognized }) =>
    recognized.map(([said, heard]) => wordErrors(said, heard)),
  );
  return [
    `${complete} of ${outcomes.length}`,
    `${Math.round((100 * complete) / Math.max(1, outcomes.length))} %`,
    turns.toFixed(1),
    wordErrorRate(errors)?.toFixed(2) ?? '-',
  ];
};

const groups = (outcomes: readonly Outcome[]): readonly (readonly string[])[] => {
  const by = (name: string, groupOf: (caller: VoiceCaller) => string) =>
    [...new Set(outcomes.map(({ caller }) => groupOf(caller)))]
      .sort()
      .map((group) => [
        `${name} ${group}`,
        ...share(outcomes.filter(({ caller }) => groupOf(caller) === group)),
      ]);
  return [
    ['all', ...share(outcomes)],
    ...by('agent', ({ booking }) => booking.agent),
    ...by('voice', ({ voice }) => voice),
    ...by('noise', ({ isNoisy }) => (isNoisy ? '10 dB' : 'none')),
  ];
};

export const measureBookings = async ({
  bookings,
  seed,
  german,
  isEspeak,
  isShown,
  isReused,
  dataFolder,
  signal,
}: BookingsOptions) => {
  const speech = await startSpeech(dataFolder);
  try {
    const folder = join(dataFolder, 'voice');
    const voices = new Voices(speech, join(folder, 'recordings'));
    const recognitions = await Recognitions.open(speech, join(folder, 'recognitions'));
    const hearing = { recognitions, voices, isReused };
    const callers = callersFor(bookings, { seed, germanOfTen: german, isEspeak });
    const progress = new Progress('bookings', bookings);
    const held = new Map<number, Outcome>();
    const waiting = [...callers.entries()];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
        const [index, caller] = next;
        held.set(index, await hold(caller, hearingOf(hearing, caller, index)));
        const complete = [...held.values()].filter(({ causes }) => causes.length === 0).length;
        progress.at(held.size, `${complete} complete`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const outcomes = [...held.entries()].sort(([one], [other]) => one - other).map(([, outcome]) => outcome);
    const failures = outcomes.flatMap(({ causes, caller }, index) =>
      causes.map(({ cause, detail }) => ({
        cause,
        detail,
        booking: index + 1,
        agent: caller.booking.agent,
        voice: caller.voice,
        isNoisy: caller.isNoisy,
      })),
    );
    const complete = outcomes.filter(({ causes }) => causes.length === 0).length;
    const lines = failures.map(
      ({ cause, detail, booking, agent, voice, isNoisy }) =>
        `${cause}: ${detail} (booking ${booking}, ${agent}, ${voice}${isNoisy ? ', noise' : ''})`,
    );
    const conversations = isShown
      ? outcomes.flatMap(({ causes, transcript }, index) =>
          causes.length === 0 ? [] : ['', `booking ${index + 1}`, ...transcript],
        )
      : [];
    return {
      report: { seed, isEspeak, bookings: outcomes.length, complete, failures },
      text: `${[
        table(['', 'complete', 'share', 'turns', 'word error rate'], groups(outcomes)),
        '',
        'failures by cause',
        ...lines.toSorted(),
        ...conversations,
      ].join('\n')}\n`,
    };
  } finally {
    await speech.stop();
  }
};
