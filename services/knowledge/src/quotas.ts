// The quotas of this service: what an organization may store as documents, and the chunks made of them.
import { loadEnv } from '@parlance/config';
import { type Quota, type QuotasOfService, usedBytes } from '@parlance/object-storage';
import { Env } from './env.js';
import { usedChunks } from './sources/chunk-quota.js';

const QuotaEnv = Env.pick({ QUOTA_KNOWLEDGE_MB: true, QUOTA_KNOWLEDGE_CHUNKS: true });

export const documentQuota: Quota = {
  name: 'bytes',
  option: 'knowledge',
  label: 'knowledge files',
  usualOf: (variables) => loadEnv(QuotaEnv, variables).QUOTA_KNOWLEDGE_MB,
  used: usedBytes,
};

export const chunkQuota: Quota = {
  name: 'chunks',
  option: 'chunks',
  label: 'knowledge chunks',
  usualOf: (variables) => loadEnv(QuotaEnv, variables).QUOTA_KNOWLEDGE_CHUNKS,
  used: usedChunks,
};

export const quotas = {
  service: 'knowledge',
  quotas: [documentQuota, chunkQuota],
} as const satisfies QuotasOfService;
