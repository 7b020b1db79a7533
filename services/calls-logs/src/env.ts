// Variables of this service.
import { cryptoEnv, cursorEnv, eventStoreEnv, livekitEnv, mongoEnv } from '@parlance/config';
import { hostEnv } from '@parlance/service-host';
import { z } from 'zod';

export const Env = z.object({
  ...hostEnv,
  ...eventStoreEnv,
  ...mongoEnv,
  ...livekitEnv,
  ...cryptoEnv,
  ...cursorEnv,
});
export type Env = z.output<typeof Env>;
