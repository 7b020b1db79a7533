// Variables of this service.
import { cryptoEnv, cursorEnv, egressEnv } from '@parlance/config';
import { hostEnv } from '@parlance/service-host/env';
import { z } from 'zod';

export const Env = z
  .object({ ...hostEnv, ...cursorEnv, ...egressEnv, ...cryptoEnv })
  .meta({ process: 'tools-secrets' });
export type Env = z.output<typeof Env>;
