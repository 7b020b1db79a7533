// Variables of this service.
import { cryptoEnv, livekitEnv } from '@parlance/config';
import { hostEnv } from '@parlance/service-host';
import { z } from 'zod';

export const Env = z.object({
  ...hostEnv,
  ...livekitEnv,
  ...cryptoEnv,
  WIDGET_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://127.0.0.1:4700')
    .describe(
      'Scheme, host and port of the gateway as visitors of websites reach it; embed snippets name it.',
    ),
});
export type Env = z.output<typeof Env>;
