import { StorageUse } from '../values/storage.js';
import { operation } from './operation.js';
import { hidden, orgAdmin } from './parts.js';

export const storageOperations = {
  storageGet: operation({
    id: 'storage.get',
    section: 'Extensions',
    service: 'gateway',
    extension: true,
    mcp: hidden('an extension of the interface, for people'),
    method: 'GET',
    path: '/storage',
    auth: orgAdmin('settings:read'),
    bucket: 'read',
    summary: 'Get what the organization stores, and its quotas',
    description:
      'Uploads that are open count as stored. Beyond a quota an upload is refused with `QUOTA_REACHED`; what is stored stays when the operator lowers a quota.',
    success: 200,
    data: StorageUse,
    message: 'Storage',
    errors: [],
  }),
} as const;
