// Variables of this service.
import { cursorEnv, egressEnv, objectStorageEnv, storageQuota, uploadsEnv } from '@parlance/config';
import { hostEnv } from '@parlance/service-host/env';
import { z } from 'zod';
import { embeddingsEnv } from './embeddings/env.js';
import { crashPointNames } from './ingestion/crash-points.js';

const wholeNumber = (min: number, max: number, usual: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { message: 'a whole number', abort: true })
    .default(usual)
    .transform(Number)
    .pipe(z.number().int().min(min).max(max));

export const Env = z
  .object({
    ...hostEnv,
    ...cursorEnv,
    ...egressEnv,
    ...objectStorageEnv,
    ...uploadsEnv,
    ...embeddingsEnv,
    MAX_SOURCES_PER_AGENT: wholeNumber(1, 1_000, '200').describe(
      'Knowledge sources that one agent may have.',
    ),
    QUOTA_KNOWLEDGE_MB: storageQuota(5_120).describe(
      'MiB of documents that one organization may store; 0 takes none.',
    ),
    QUOTA_KNOWLEDGE_CHUNKS: wholeNumber(0, 100_000_000, '500000').describe(
      'Pieces of text that the knowledge of one organization may have, of documents and pages; 0 takes none.',
    ),
    KNOWLEDGE_JOBS: wholeNumber(1, 32, '4').describe(
      'Knowledge sources that one process reads at the same time.',
    ),
    KNOWLEDGE_READERS: wholeNumber(1, 16, '2').describe(
      'Documents that one process parses at the same time, each in a child process of its own.',
    ),
    KNOWLEDGE_READER_MEMORY_MB: wholeNumber(256, 8_192, '768').describe(
      'A child process that parses a document and takes more memory is ended, and its document is too large.',
    ),
    KNOWLEDGE_REQUESTS_PER_SECOND: wholeNumber(1, 10_000, '2').describe(
      'Requests per second to one host, by all copies of the service together.',
    ),
    CRASH_AT: z
      .enum(crashPointNames)
      .optional()
      .meta({ testOnly: true })
      .describe('For tests only: the process kills itself when it comes to this point.'),
  })
  .meta({ process: 'knowledge' });
export type Env = z.output<typeof Env>;
