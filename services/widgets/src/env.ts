// Variables of this service.
import { cryptoEnv, cursorEnv, livekitEnv, platformKeys } from '@parlance/config';
import { hostEnv } from '@parlance/service-host/env';
import { z } from 'zod';

const variables = z.object({
  ...hostEnv,
  ...cursorEnv,
  ...livekitEnv,
  ...cryptoEnv,
  WIDGET_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://127.0.0.1:4700')
    .describe(
      'Scheme, host and port of the gateway as visitors of websites reach it; embed snippets name it.',
    ),
  TEXT_RUNTIME_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Where the voice runtime answers conversations in text: text turns are posted to /text-turns below it. Without it widgets offer no text.',
    ),
  INTERNAL_API_KEY: platformKeys.INTERNAL_API_KEY.optional().describe(
    'Sent to the voice runtime with each text turn; goes with TEXT_RUNTIME_URL.',
  ),
  BROWSER_VOICE: z
    .enum(['on', 'off'])
    .default('on')
    .describe('off where no browser can join the media server: widgets then offer no voice.'),
});

/** The variables, as the platform's environment gives them. */
export const Env = variables
  .refine(
    ({ TEXT_RUNTIME_URL, INTERNAL_API_KEY }) =>
      TEXT_RUNTIME_URL === undefined || INTERNAL_API_KEY !== undefined,
    { path: ['INTERNAL_API_KEY'], message: 'goes with TEXT_RUNTIME_URL' },
  )
  .meta({ process: 'widgets' });
export type Env = z.output<typeof Env>;
