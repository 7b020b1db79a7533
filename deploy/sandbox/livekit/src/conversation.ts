// A simulated conversation as the voice runtime would report it: turns with times, usage, and what was found out.
import type { ConfigurationForRuntime } from '@parlance/contracts';
import { type Script, scriptFor } from './scripts.js';

export interface Turn {
  readonly seq: number;
  readonly role: 'agent' | 'user';
  readonly text: string;
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
  | 'variables'
  | 'voicemail'
>;

/** People say about fifteen characters a second, and think for a moment before. */
const speakingMs = (text: string): number => Math.round(text.length * 65);
const thinkingMs = 400;

const timed = (
  lines: readonly { readonly role: 'agent' | 'user'; readonly text: string }[],
  language: string,
): Turn[] => {
  let clock = 200;
  return lines.map(({ role, text }, seq) => {
    const startMs = clock;
    const endMs = startMs + speakingMs(text);
    clock = endMs + thinkingMs;
    return { seq, role, text, startMs, endMs, language };
  });
};

export const conversation = (
  first: string,
  config: RuntimeConfiguration,
  inbound: boolean,
): { readonly turns: Turn[]; readonly script: Script } => {
  const script = scriptFor(config.agent_language);
  // Who calls says at once why; who is called is asked first.
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

/** What the analysis after the call would have found. */
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
  telephony: string,
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
    { kind: 'telephony', quantity: talkSeconds, unit: 'second', provider: telephony, model: null },
    part('stt', talkSeconds, 'second', config.sttModel),
    part('llm', turns.length * 350, 'token', config.llmModel),
    part('tts', spoken, 'character', config.ttsModel),
  ];
};
