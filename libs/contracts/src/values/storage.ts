// Stored bytes and chunks of an organization, with their quotas.
import { z } from 'zod';

export const QuotaUse = z.object({
  used: z.int().min(0),
  limit: z.int().min(0).meta({ description: '0 for nothing at all' }),
});

export const StorageUse = z
  .object({
    knowledgeBytes: QuotaUse.meta({ description: 'documents of knowledge sources' }),
    knowledgeChunks: QuotaUse.meta({ description: 'pieces of text made of documents and pages' }),
    campaignFileBytes: QuotaUse.meta({ description: 'files of campaigns, which are deleted after a day' }),
    recordingBytes: QuotaUse.meta({
      description: 'recordings; a call whose recording does not fit is not recorded',
    }),
  })
  .meta({ id: 'StorageUse', description: 'What the organization stores, and what it may store.' });
export type StorageUse = z.infer<typeof StorageUse>;
