// The settings of the runtime, from the environment. The worker and its job processes read the same.
import type { PlatformOptions } from '@parlance/conversation';
import { Env } from '@parlance/conversation/voice-env';

export interface Settings {
  /** Where the keys of vendors are. */
  readonly environment: Environment;
  /** Path of the operator's models and fall-backs; undefined without one. */
  readonly modelsFile: string | undefined;
  /** The window that requests to a language model are fitted into. */
  readonly contextTokens: number;
  readonly platform: PlatformOptions;
  readonly agentName: string;
  /** Folder of synthesized phrases; undefined: none is on disk. Without one, the worker makes a temporary one for its jobs. */
  readonly phrasesFolder: string | undefined;
  readonly phrasesBytes: number;
  /** Where the calls of jobs are kept while they last. The worker makes it for its jobs. */
  readonly journal: { readonly folder: string; readonly key: string } | undefined;
  /** Calls that are taken at once. */
  readonly maxCalls: number;
  /** Port of the worker's health check on 127.0.0.1; 0 for any. */
  readonly healthPort: number;
  /** HTTP address of the LiveKit server, with its credentials. */
  readonly liveKit: { readonly url: string; readonly apiKey: string; readonly apiSecret: string };
  /** The local speech service, or any server that recognizes and speaks; undefined without one. */
  readonly speech: SpeechServer | undefined;
}

export interface SpeechServer {
  /** Address up to `/v1`. */
  readonly url: string;
  readonly key: string | undefined;
  readonly sttModel: string;
  readonly ttsModel: string;
  readonly voice: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const readers = (environment: Environment) => ({
  required: (name: string): string => {
    const value = environment[name];
    if (!value) throw new Error(`${name} is not set`);
    return value;
  },
  integer: (name: string, fallback: number, least: number): number => {
    const value = Number(environment[name] || fallback);
    if (Number.isInteger(value) && value >= least) return value;
    throw new Error(`${name} must be an integer of at least ${least}, not "${environment[name]}"`);
  },
});

const speechServer = (environment: Environment): SpeechServer | undefined =>
  environment.SPEECH_URL
    ? {
        url: environment.SPEECH_URL.replace(/\/+$/, ''),
        key: environment.SPEECH_KEY || undefined,
        sttModel: environment.SPEECH_STT_MODEL || 'whisper-1',
        ttsModel: environment.SPEECH_TTS_MODEL || 'tts-1',
        voice: environment.SPEECH_VOICE || 'alloy',
      }
    : undefined;

/** @throws Error that names the setting which is missing or wrong */
export const readSettings = (environment: Environment = process.env): Settings => {
  const { required, integer } = readers(environment);
  return {
    environment,
    modelsFile: environment.MODELS_FILE || undefined,
    contextTokens: integer('LLM_CONTEXT_TOKENS', 32_000, 2_000),
    platform: {
      url: environment.PLATFORM_URL || 'http://127.0.0.1:4700',
      internalKey: required('INTERNAL_API_KEY'),
    },
    phrasesFolder: environment.SPEECH_CACHE_DIR || undefined,
    phrasesBytes: integer('SPEECH_CACHE_MB', 64, 1) * 1024 * 1024,
    journal:
      environment.JOURNAL_FOLDER && environment.JOURNAL_KEY
        ? { folder: environment.JOURNAL_FOLDER, key: environment.JOURNAL_KEY }
        : undefined,
    agentName: environment.VOICE_AGENT_NAME || 'parlance-voice',
    maxCalls: integer('MAX_CALLS', 10, 1),
    healthPort: integer('HEALTH_PORT', 0, 0),
    liveKit: {
      url: required('LIVEKIT_URL'),
      apiKey: required('LIVEKIT_API_KEY'),
      apiSecret: required('LIVEKIT_API_SECRET'),
    },
    speech: speechServer(environment),
  };
};

/** Addresses that models may have besides public ones, and those that they may not have. */
export const readEgress = (environment: Environment) =>
  Env.pick({ EGRESS_ALLOW_PRIVATE: true, EGRESS_DENY: true }).parse(environment);
