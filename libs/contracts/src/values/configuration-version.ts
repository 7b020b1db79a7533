// The versions of an agent's configuration: their list, and the request that restores one.
import { z } from 'zod';
import { queryInteger, timestamp, uuid } from './text.js';

const mostVersions = 999_999_999;

export const configurationVersionParams = z.strictObject({
  agentId: uuid,
  version: queryInteger(1, mostVersions),
});

export const ConfigurationVersionsQuery = z.strictObject({
  before: queryInteger(1, mostVersions).optional().meta({
    description: 'only versions with a lower number: the next page begins below the last one shown',
  }),
  limit: queryInteger(1, 100).optional(),
});

/** One save, without the configuration itself. */
export const ConfigurationVersion = z
  .object({
    version: z.int(),
    savedAt: timestamp,
    savedBy: z.string().nullable().meta({
      description:
        '`user:` or `key:` and an id, as in `createdBy` of campaigns; null for versions of older releases',
    }),
    restoredFrom: z.int().nullable().meta({ description: 'the version that this save repeats' }),
    inForce: z.boolean(),
    changed: z.array(z.string()).meta({
      description: 'fields that differ from the version before, by name; none for version 1',
    }),
  })
  .meta({ id: 'ConfigurationVersion', description: 'A saved version of the configuration of an agent.' });
export type ConfigurationVersion = z.infer<typeof ConfigurationVersion>;

export const RestoreVersionInput = z.strictObject({
  expectedVersion: z.int().min(1).meta({
    description: 'the version that is in force, as the caller read it; another one answers VERSION_CONFLICT',
  }),
});
