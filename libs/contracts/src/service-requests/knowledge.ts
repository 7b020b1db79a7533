// The requests that knowledge answers to other services.

import { z } from 'zod';
import { serviceRequest } from '../operations/operation.js';
import { KnowledgeForRuntime } from '../values/knowledge.js';
import { QuotaUse } from '../values/storage.js';
import { AdmittedUpload, agentId, beginning, organizationCleared, UploadArrival } from './parts.js';

export const knowledgeRequests = {
  knowledgeStorage: serviceRequest({
    id: 'knowledge.storage',
    service: 'knowledge',
    askedBy: ['gateway'],
    summary: 'What the organization stores as knowledge, and its quotas',
    body: z.object({}),
    data: z.object({ bytes: QuotaUse, chunks: QuotaUse }),
  }),
  knowledgeBegin: serviceRequest({
    id: 'knowledge.begin',
    service: 'knowledge',
    askedBy: ['gateway'],
    summary: 'Set the quotas of an organization that is about to be made',
    body: beginning,
    data: z.object({}),
  }),
  knowledgeAdmitUpload: serviceRequest({
    id: 'knowledge.admitUpload',
    service: 'knowledge',
    askedBy: ['gateway'],
    summary: 'Count the size of an upload that arrives at the gateway, and name the address that takes it',
    body: UploadArrival,
    data: AdmittedUpload,
  }),
  knowledgeForAgent: serviceRequest({
    id: 'knowledge.forAgent',
    service: 'knowledge',
    askedBy: ['gateway'],
    formerly: { askedBy: ['agents-config'], upTo: '0.2.0' },
    summary: 'The knowledge of an agent: whether it is searched in a call, and the text for the prompt',
    body: agentId,
    data: KnowledgeForRuntime,
  }),
  knowledgeOrganizationCleared: serviceRequest({
    ...organizationCleared,
    id: 'knowledge.organizationCleared',
    service: 'knowledge',
  }),
} as const;
