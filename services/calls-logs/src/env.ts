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
  })
  .meta({ process: 'calls-logs' });
export type Env = z.output<typeof Env>;
