// Variables of this service.
import {
  callRetentionEnv,
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
    ...callRetentionEnv,
    QUOTA_RECORDINGS_MB: storageQuota(102_400).describe(
      'MiB of recordings that one organization may store; 0 takes none. A call whose recording does not fit is not recorded; older recordings stay.',
    ),
  })
  .meta({ process: 'calls-logs' });
export type Env = z.output<typeof Env>;
