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
    description: 'returns versions with a lower number; for the next page, pass the last one received',
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
        '`user:` or `key:` and an ID, as in `createdBy` of campaigns; null for versions saved by older releases',
    }),
    restoredFrom: z.int().nullable().meta({ description: 'version that this one restores' }),
    inForce: z.boolean(),
    changed: z.array(z.string()).meta({
      description: 'names of fields that differ from the previous version; empty for version 1',
    }),
  })
  .meta({ id: 'ConfigurationVersion', description: 'A saved version of the configuration of an agent.' });
export type ConfigurationVersion = z.infer<typeof ConfigurationVersion>;

export const RestoreVersionInput = z.strictObject({
  expectedVersion: z.int().min(1).meta({
    description: 'the current version as you last read it; a mismatch returns VERSION_CONFLICT',
  }),
});
