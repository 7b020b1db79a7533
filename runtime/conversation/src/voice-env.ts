// Variables of the voice runtime. They stand here and not in runtime/voice, whose packages `npm install` at the root leaves out:
// the pages and manifests of all processes are written from their schemas.
import {
  baseEnv,
  egressEnv,
  livekitEnv,
  modelsEnv,
  opsEnv,
  platformKeys,
  speechKeyEnv,
  telemetryEnv,
  wholeNumber,
} from '@parlance/config';
import { modelKeysEnv } from '@parlance/models';
import { z } from 'zod';

const { LIVEKIT_WS_URL: _, ...liveKit } = livekitEnv;

export const Env = z
  .object({
    ...baseEnv,
    ...telemetryEnv,
    ...opsEnv,
    ...liveKit,
    INTERNAL_API_KEY: platformKeys.INTERNAL_API_KEY,
    PLATFORM_URL: z
      .url({ protocol: /^https?$/ })
      .default('http://127.0.0.1:4700')
      .describe('The gateway as runtimes reach it: its port for runtimes where it has one (INTERNAL_PORT).'),
    SPEECH_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        'A server of the OpenAI protocol up to /v1 that recognizes and speaks, such as the local speech service: the last fall-back of every model.',
      ),
    SPEECH_KEY: speechKeyEnv.SPEECH_KEY.optional().meta({ secret: true }).describe('API key of SPEECH_URL.'),
    SPEECH_STT_MODEL: z.string().default('whisper-1').describe('Model of SPEECH_URL that recognizes.'),
    SPEECH_TTS_MODEL: z.string().default('tts-1').describe('Model of SPEECH_URL that speaks.'),
    SPEECH_VOICE: z.string().default('alloy').describe('Voice of SPEECH_URL.'),
    SPEECH_CACHE_DIR: z
      .string()
      .optional()
      .describe(
        'Folder of synthesized sentences that are the same in every call. Without one they last as long as the process.',
      ),
    SPEECH_CACHE_MB: wholeNumber(1, 100_000)
      .default(64)
      .describe('Megabytes that these sentences take at most.'),
    ...egressEnv,
    ...modelsEnv,
    ...modelKeysEnv,
    LLM_CONTEXT_TOKENS: wholeNumber(2_000, 2_000_000)
      .default(32_000)
      .describe('Tokens that a request to a language model and its answer may have together.'),
    MAX_CALLS: wholeNumber(1, 1_000)
      .default(10)
      .describe('Calls that one voice runtime holds at the same time. LiveKit gives further ones to others.'),
    DRAIN_CALLS_SECONDS: wholeNumber(0, 86_400)
      .default(600)
      .describe(
        'After SIGTERM the voice runtime takes no call and waits this long for the calls in progress; those that last longer are ended.',
      ),
    HEALTH_PORT: wholeNumber(0, 65_535)
      .default(0)
      .describe("Port of the framework's own health check, on 127.0.0.1; 0 takes any free one."),
  })
  .meta({ process: 'voice-runtime' });
export type Env = z.output<typeof Env>;
