// Variables of this service.
import { egressEnv, objectStorageEnv } from '@parlance/config';
import { hostEnv } from '@parlance/service-host';
import { z } from 'zod';

export const Env = z.object({ ...hostEnv, ...egressEnv, ...objectStorageEnv });
export type Env = z.output<typeof Env>;
