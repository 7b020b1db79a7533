// Variables of this service.
import {
  cryptoEnv,
  cursorEnv,
  egressEnv,
  erasureLogEnv,
  eventStoreEnv,
  livekitEnv,
  modelsEnv,
  mongoEnv,
  objectStorageEnv,
  webhookEnv,
} from '@parlance/config';
import { modelKeysEnv } from '@parlance/models';
import { hostEnv } from '@parlance/service-host/env';
import { z } from 'zod';

export const Env = z
  .object({
    ...hostEnv,
    ...eventStoreEnv,
    ...mongoEnv,
    ...livekitEnv,
    ...cryptoEnv,
    ...cursorEnv,
    ...egressEnv,
    ...objectStorageEnv,
    ...erasureLogEnv,
    ...webhookEnv,
    ...modelsEnv,
    ...modelKeysEnv,
    CALL_RETENTION_DAYS: z.coerce
      .number()
      .int()
      .min(1)
      .max(3_650)
      .default(365)
      .describe(
        'Days after which calls are deleted, with their transcripts and recordings; an organization may choose others.',
      ),
  })
  .meta({ process: 'calls-logs' });
export type Env = z.output<typeof Env>;
