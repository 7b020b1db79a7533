// Answers the gateway's requests for what an organization stores as knowledge, and for the quotas of one that begins.
import { Controller } from '@nestjs/common';
import type { Data, serviceRequests } from '@parlance/contracts';
import { inheritQuotas, quotaUse } from '@parlance/object-storage';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { chunkQuota, documentQuota } from '../quotas.js';

type Storage = (typeof serviceRequests)['knowledgeStorage'];
type Begin = (typeof serviceRequests)['knowledgeBegin'];

@Controller()
@Serves()
export class StorageController {
  constructor(private readonly parts: Parts) {}

  async 'knowledge.storage'({ caller }: RpcRequest<Storage>): Promise<Data<Storage>> {
    const { db, uploads, maxChunks } = this.parts;
    const { organizationId } = caller;
    return {
      bytes: await quotaUse(db, organizationId, documentQuota, uploads.quota.bytes),
      chunks: await quotaUse(db, organizationId, chunkQuota, maxChunks),
    };
  }

  async 'knowledge.begin'({ body, caller }: RpcRequest<Begin>): Promise<Data<Begin>> {
    const { db, clock, uploads, maxChunks: chunks } = this.parts;
    const { organizationId } = caller;
    const usual = { bytes: uploads.quota.bytes, chunks };
    await inheritQuotas(db, { organizationId, earlierIds: body.earlierIds }, usual, clock.now());
    return {};
  }
}
