// The keys of the vendors, for the schema of a process that calls models.
import { type Secret, secret } from '@parlance/config';
import type { z } from 'zod';
import { type KeyVariable, keyOwners } from '../catalog/vendors.js';

type Key = z.ZodOptional<z.ZodType<Secret, string>>;

/** To spread into the schema of an environment. */
export const modelKeysEnv = Object.fromEntries(
  Object.entries(keyOwners).map(([variable, vendor]) => [
    variable,
    secret().optional().describe(`API key of ${vendor}, for its models and voices (docs/models.md).`),
  ]),
) as Readonly<Record<KeyVariable, Key>>;
