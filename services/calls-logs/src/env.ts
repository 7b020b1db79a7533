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
  storageQuota,
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
    QUOTA_RECORDINGS_MB: storageQuota(102_400).describe(
      'MiB of recordings that one organization may store; 0 takes none. A call whose recording does not fit is not recorded; older recordings stay.',
    ),
  })
  .meta({ process: 'calls-logs' });
export type Env = z.output<typeof Env>;
