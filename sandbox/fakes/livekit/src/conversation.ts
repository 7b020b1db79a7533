// A simulated conversation as the voice runtime would report it: turns with times, usage, and results.
import type { ConfigurationForRuntime, TranscriptTurn } from '@parlance/contracts';
import { type Script, scriptFor } from './scripts.js';

/** A turn, spoken or done by a tool, before it has its place in time. */
export interface Line extends Partial<Pick<TranscriptTurn, 'toolCall' | 'sources'>> {
  readonly role: 'agent' | 'user' | 'tool';
  readonly text: string;
}

export interface Turn extends Line {
  readonly seq: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly language: string;
}

/** The part of a configuration that simulated conversations use. */
export type RuntimeConfiguration = Pick<
  ConfigurationForRuntime,
  | 'version'
  | 'agent_language'
  | 'firstMessage'
  | 'sttModel'
  | 'llmModel'
  | 'ttsModel'
  | 'data_needed'
  | 'data_evaluation'
  | 'recording'
  | 'variables'
  | 'voicemail'
>;

/** People say about fifteen characters a second, and think for a moment before. */
const speakingMs = (text: string): number => Math.round(text.length * 65);
const thinkingMs = 400;

const timed = (lines: readonly Line[], language: string, before?: Turn): Turn[] => {
  let clock = before === undefined ? 200 : before.endMs + thinkingMs;
  const next = before === undefined ? 0 : before.seq + 1;
  return lines.map((line, index) => {
    const startMs = clock;
    const endMs = startMs + (line.toolCall?.durationMs ?? speakingMs(line.text));
    clock = endMs + thinkingMs;
    return { ...line, seq: next + index, startMs, endMs, language };
  });
};

/** Makes turns of these lines; they follow the turns that were spoken before. */
export const continued = (spoken: readonly Turn[], lines: readonly Line[], language: string): Turn[] =>
  timed(lines, language, spoken.at(-1));

export const conversation = (
  first: string,
  config: RuntimeConfiguration,
  inbound: boolean,
): { readonly turns: Turn[]; readonly script: Script } => {
  const script = scriptFor(config.agent_language);
  // A caller gives the reason at once; a callee is asked first.
  const [, matter, ...rest] = script.exchanges;
  const exchanges =
    inbound && matter ? [{ user: script.callerOpening, agent: matter.agent }, ...rest] : script.exchanges;
  const lines = [
    { role: 'agent' as const, text: first },
    ...exchanges.flatMap(({ user, agent }) => [
      { role: 'user' as const, text: user },
      { role: 'agent' as const, text: agent },
    ]),
    { role: 'user' as const, text: script.farewell },
  ];
  return { turns: timed(lines, config.agent_language), script };
};

export const voicemail = (message: string | undefined, config: RuntimeConfiguration): Turn[] => {
  const script = scriptFor(config.agent_language);
  const left =
    config.voicemail.action === 'leave_message' && message ? [{ role: 'agent' as const, text: message }] : [];
  return timed([{ role: 'user' as const, text: script.voicemailGreeting }, ...left], config.agent_language);
};

const sampleValue = (type: string, enumValues: readonly string[] | undefined): unknown => {
  switch (type) {
    case 'boolean':
      return true;
    case 'number':
    case 'integer':
      return 4;
    case 'enum':
      return enumValues?.[0] ?? null;
    default:
      return 'invoices are missing';
  }
};

/** The results that the analysis after the call would have found. */
export const analysis = (config: RuntimeConfiguration) => ({
  dataCollected: Object.fromEntries(
    config.data_needed.map(({ id, type, enumValues }) => [
      id,
      { value: sampleValue(type, enumValues), rationale: 'said by the customer' },
    ]),
  ),
  evaluation: config.data_evaluation.map(({ id, name, maxScore }) => ({
    id,
    name,
    result: 'success',
    score: maxScore ?? null,
    rationale: 'follows from the transcript',
  })),
});

/** @param telephony the provider that the minutes of telephony are counted at */
export const usage = (
  turns: readonly Turn[],
  talkSeconds: number,
  config: RuntimeConfiguration,
  telephony: string | null,
) => {
  const spoken = turns.filter(({ role }) => role === 'agent').reduce((sum, { text }) => sum + text.length, 0);
  const vendor = (model: string): string => model.split('/')[0] ?? model;
  const part = (kind: string, quantity: number, unit: string, model: string) => ({
    kind,
    quantity,
    unit,
    provider: vendor(model),
    model,
  });
  return [
    ...(telephony === null
      ? []
      : [{ kind: 'telephony', quantity: talkSeconds, unit: 'second', provider: telephony, model: null }]),
    part('stt', talkSeconds, 'second', config.sttModel),
    part('llm', turns.length * 350, 'token', config.llmModel),
    part('tts', spoken, 'character', config.ttsModel),
  ];
};
