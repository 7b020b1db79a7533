// Variables of the text runtime.
import {
  baseEnv,
  drainEnv,
  egressEnv,
  modelsEnv,
  opsEnv,
  platformKeys,
  telemetryEnv,
  wholeNumber,
} from '@parlance/config';
import { modelKeysEnv } from '@parlance/models';
import { z } from 'zod';

export const Env = z
  .object({
    ...baseEnv,
    ...telemetryEnv,
    ...opsEnv,
    ...drainEnv,
    ...egressEnv,
    ...modelsEnv,
    ...modelKeysEnv,
    INTERNAL_API_KEY: platformKeys.INTERNAL_API_KEY,
    PLATFORM_URL: z
      .url({ protocol: /^https?$/ })
      .default('http://127.0.0.1:4700')
      .describe('The gateway as runtimes reach it: its port for runtimes where it has one (INTERNAL_PORT).'),
    TEXT_RUNTIME_HOST: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .describe('Address on which the text runtime answers conversations in text.'),
    TEXT_RUNTIME_PORT: wholeNumber(0, 65_535)
      .default(4730)
      .describe('Port on which the text runtime answers conversations in text; 0 takes any free one.'),
    TEXT_ANSWERS_AT_ONCE: wholeNumber(1, 10_000)
      .default(100)
      .describe('Messages that one text runtime answers at the same time; a further one is answered 429.'),
    LLM_CONTEXT_TOKENS: wholeNumber(2_000, 2_000_000)
      .default(32_000)
      .describe(
        'Tokens that a request to a language model and its answer may have together: the smallest window among the models in use. Older turns and text of documents are left out of a request that would be larger.',
      ),
  })
  .meta({ process: 'text-runtime' });
export type Env = z.output<typeof Env>;
