// Knowledge sources: what agents can look things up in.
import { z } from 'zod';
import { name, text, timestamp, uuid } from './text.js';

const usageMode = z.enum(['auto', 'prompt']);
const url = text(1, 2_048);

const SourceInput = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('url'), url, name: name(1, 200).optional() }),
  z.strictObject({
    type: z.literal('file'),
    fileKey: text(1, 1_024),
    fileName: text(1, 255),
    name: name(1, 200).optional(),
  }),
]);

export const KnowledgeInput = z
  .strictObject({
    agentId: uuid,
    sources: z.array(SourceInput).min(1).max(20).optional(),
    urls: z.array(url).min(1).max(20).optional(),
    usageMode: usageMode.optional(),
  })
  .refine(
    (body) => (body.sources === undefined) !== (body.urls === undefined),
    'takes either sources or urls',
  );

export const KnowledgeUpdate = z.strictObject({
  name: name(1, 200).optional(),
  url: url.optional(),
  fileKey: text(1, 1_024).optional(),
  usageMode: usageMode.optional(),
  refreshIntervalHours: z.int().min(1).max(8_760).nullable().optional(),
});

export const KnowledgeSource = z
  .object({
    id: uuid,
    agentId: uuid,
    type: z.enum(['url', 'file']),
    name: z.string(),
    url: z.string().nullable(),
    fileKey: z.string().nullable(),
    fileName: z.string().nullable(),
    mimeType: z.string().nullable(),
    sizeBytes: z.int().nullable(),
    contentHash: z.string().nullable(),
    status: z.enum(['pending', 'processing', 'ready', 'failed', 'reprocessing']),
    error: z
      .object({
        code: z.enum([
          'FETCH_FAILED',
          'UNSUPPORTED_TYPE',
          'TOO_LARGE',
          'TOO_SMALL',
          'PARSE_FAILED',
          'EMBEDDING_FAILED',
          'URL_NOT_ALLOWED',
        ]),
        message: z.string(),
      })
      .nullable(),
    usageMode,
    chunkCount: z.int(),
    charCount: z.int(),
    embeddingModel: z.string().nullable(),
    refreshIntervalHours: z.int().nullable(),
    lastIngestedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'KnowledgeSource' });

export const KnowledgeUploadUrl = z.object({
  uploadUrl: z.string(),
  fileKey: z.string(),
  expiresAt: timestamp,
  maxBytes: z.int(),
});
