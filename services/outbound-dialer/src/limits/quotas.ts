// The quota of this service: the files of campaigns that an organization may store.
import { loadEnv, storageQuota } from '@parlance/config';
import { type Quota, type QuotasOfService, usedBytes } from '@parlance/object-storage';
import { z } from 'zod';

export const quotaEnv = {
  QUOTA_CAMPAIGN_FILES_MB: storageQuota(5_120).describe(
    'MiB of campaign files that one organization may store; 0 takes none. A file is deleted a day after its upload.',
  ),
};

const QuotaEnv = z.object(quotaEnv);

export const fileQuota: Quota = {
  name: 'bytes',
  option: 'campaign-files',
  label: 'campaign files',
  usualOf: (variables) => loadEnv(QuotaEnv, variables).QUOTA_CAMPAIGN_FILES_MB,
  used: usedBytes,
};

export const quotas = { service: 'outbound-dialer', quotas: [fileQuota] } as const satisfies QuotasOfService;
