// Knowledge sources, which agents search.
import { z } from 'zod';
import { name, text, timestamp, uuid } from './text.js';

const usageMode = z.enum(['auto', 'prompt']);
const url = text(1, 2_048);

/** Parts of a page that are read beside its content. */
const pageParts = ['aside', 'footer'] as const;
const include = z.array(z.enum(pageParts)).max(pageParts.length).meta({
  description: 'additional parts of pages to read',
});

const sourceErrorCodes = [
  'FETCH_FAILED',
  'UNSUPPORTED_TYPE',
  'TOO_LARGE',
  'TOO_SMALL',
  'PARSE_FAILED',
  'EMBEDDING_FAILED',
  'URL_NOT_ALLOWED',
  'ROBOTS_REFUSED',
] as const;
const SourceError = z.object({ code: z.enum(sourceErrorCodes), message: z.string() });

const crawl = z.strictObject({
  mode: z.enum(['page', 'sitemap', 'site']).default('page'),
  maxPages: z.int().min(1).max(500).default(50),
});

const SourceInput = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('url'),
    url,
    name: name(1, 200).optional(),
    crawl: crawl.optional(),
    include: include.optional(),
    refreshIntervalHours: z.int().min(1).max(8_760).nullable().optional(),
  }),
  z.strictObject({
    type: z.literal('file'),
    fileKey: text(1, 1_024),
    fileName: text(1, 255),
    name: name(1, 200).optional(),
    include: include.optional(),
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
  crawl: crawl.optional(),
  include: include.optional(),
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
    error: SourceError.nullable(),
    waiting: z
      .object({
        error: SourceError.meta({ description: 'error of the last attempt' }),
        tries: z.int().meta({ description: 'number of failed attempts' }),
        maxTries: z.int().meta({ description: 'attempts after which the source fails' }),
        nextTryAt: timestamp.meta({ description: 'in the past while that attempt is running' }),
      })
      .nullable()
      .optional()
      .meta({ description: 'set while a failed attempt is going to be retried' }),
    warnings: z
      .array(
        z.object({
          code: z.enum(['PAGES_WITHOUT_TEXT']),
          message: z.string(),
          url: z.string().nullable().meta({ description: 'URL of the page or document; null for a file' }),
        }),
      )
      .optional()
      .meta({ description: 'content that could not be read and is missing from search results' }),
    include: z.array(z.enum(pageParts)).optional(),
    usageMode,
    chunkCount: z.int(),
    charCount: z.int(),
    embeddingModel: z.string().nullable(),
    progress: z
      .object({ pagesFound: z.int(), pagesDone: z.int(), chunks: z.int() })
      .nullable()
      .meta({ description: 'set while the source is being read' }),
    crawl: z
      .object({ mode: z.enum(['page', 'sitemap', 'site']), maxPages: z.int() })
      .nullable()
      .meta({ description: 'null for a file' }),
    refreshIntervalHours: z.int().nullable(),
    lastIngestedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'KnowledgeSource', description: 'A source of knowledge for agents: a website or a file.' });

export const KnowledgeUploadUrl = z.object({
  uploadUrl: z.string(),
  fileKey: z.string(),
  expiresAt: timestamp,
  maxBytes: z.int(),
});

const query = text(1, 1_000);
const limit = z.int().min(1).max(20).default(5);

export const KnowledgeSearch = z.strictObject({ agentId: uuid, query, limit });
/** The same in a call, which has its agent. */
export const KnowledgeSearchInCall = z.strictObject({ query, limit });

/** A piece of a source that answers a question. */
export const Passage = z
  .object({
    knowledgeSourceId: uuid,
    chunkId: z.string(),
    sourceName: z.string(),
    url: z.string().nullable(),
    headings: z.array(z.string()).meta({ description: 'headings above the passage, outermost first' }),
    text: z.string().meta({ description: 'table rows are prefixed with their column titles' }),
    context: z.string().nullable().optional().meta({
      description:
        'preceding text of the same section, for short passages; give it to the model with the passage',
    }),
    score: z.number().meta({ description: 'higher is better; comparable within one response only' }),
    start: z.int().meta({ description: 'offset in the text of the page, in characters' }),
    end: z.int(),
  })
  .meta({ id: 'Passage', description: 'A passage of a knowledge source that matches a search.' });
export type Passage = z.infer<typeof Passage>;

/** The knowledge of an agent, as its runtime gets it. */
export const KnowledgeForRuntime = z.object({
  mode: z.enum(['auto', 'prompt', 'none']).meta({ description: 'auto: search during the call' }),
  prompt: z.string().nullable().meta({ description: 'text to append to the system prompt' }),
});
export type KnowledgeForRuntime = z.infer<typeof KnowledgeForRuntime>;
