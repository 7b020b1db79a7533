// Variables of this service.
import { egressEnv, objectStorageEnv } from '@parlance/config';
import { hostEnv } from '@parlance/service-host';
import { z } from 'zod';
import { embeddingsEnv } from './embeddings/env.js';

export const Env = z.object({ ...hostEnv, ...egressEnv, ...objectStorageEnv, ...embeddingsEnv });
export type Env = z.output<typeof Env>;
