// The quota of this service: the files of campaigns that an organization may store.
import { loadEnv } from '@parlance/config';
import { type Quota, type QuotasOfService, usedBytes } from '@parlance/object-storage';
import { Env } from './env.js';

const QuotaEnv = Env.pick({ QUOTA_CAMPAIGN_FILES_MB: true });

export const fileQuota: Quota = {
  name: 'bytes',
  option: 'campaign-files',
  label: 'campaign files',
  usualOf: (variables) => loadEnv(QuotaEnv, variables).QUOTA_CAMPAIGN_FILES_MB,
  used: usedBytes,
};

export const quotas = { service: 'outbound-dialer', quotas: [fileQuota] } as const satisfies QuotasOfService;
