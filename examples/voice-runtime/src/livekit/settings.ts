// The settings of the runtime, from the environment. The worker and its job processes read the same.
import type { PlatformOptions } from '../protocol.js';

export interface Settings {
  readonly platform: PlatformOptions;
  readonly agentName: string;
  /** So many calls are taken at once. */
  readonly mostCalls: number;
  /** Conversations in text are answered on this port of 127.0.0.1; undefined: they are not answered. */
  readonly textPort: number | undefined;
  /** HTTP address of the LiveKit server, with its credentials. */
  readonly liveKit: { readonly url: string; readonly apiKey: string; readonly apiSecret: string };
  /** `none`: the agent writes, and is written to. `local`: programs of this machine hear and speak. */
  readonly hearing: 'none' | 'local';
  readonly speech: 'none' | 'local';
}

const required = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};

const number = (name: string, otherwise: number): number => {
  const value = Number(process.env[name] ?? otherwise);
  if (value >= 1) return value;
  throw new Error(`${name} is a number above 0, not "${process.env[name]}"`);
};

const part = (name: string): 'none' | 'local' => {
  const value = process.env[name] ?? 'none';
  if (value === 'none' || value === 'local') return value;
  throw new Error(`${name} is "none" or "local", not "${value}"`);
};

/** @throws Error that names the setting which is missing or wrong */
export const readSettings = (): Settings => ({
  platform: {
    url: process.env.PLATFORM_URL ?? 'http://127.0.0.1:4700',
    internalKey: required('INTERNAL_API_KEY'),
  },
  agentName: process.env.VOICE_AGENT_NAME ?? 'parlance-voice',
  mostCalls: number('MOST_CALLS', 10),
  textPort: process.env.TEXT_PORT ? number('TEXT_PORT', 0) : undefined,
  liveKit: {
    url: required('LIVEKIT_URL'),
    apiKey: required('LIVEKIT_API_KEY'),
    apiSecret: required('LIVEKIT_API_SECRET'),
  },
  hearing: part('HEARING'),
  speech: part('SPEECH'),
});
