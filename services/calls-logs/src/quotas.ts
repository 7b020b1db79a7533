// The quota of this service: the recordings that an organization may store.
import { loadEnv } from '@parlance/config';
import { type Quota, type QuotasOfService, usedBytes } from '@parlance/object-storage';
import { Env } from './env.js';

const QuotaEnv = Env.pick({ QUOTA_RECORDINGS_MB: true });

export const recordingQuota: Quota = {
  name: 'bytes',
  option: 'recordings',
  label: 'recordings',
  usualOf: (variables) => loadEnv(QuotaEnv, variables).QUOTA_RECORDINGS_MB,
  used: usedBytes,
};

export const quotas = { service: 'calls-logs', quotas: [recordingQuota] } as const satisfies QuotasOfService;
