// Answers the gateway's requests for what an organization stores as knowledge, and for the quotas of one that begins.
import { Controller } from '@nestjs/common';
import type { Data, serviceRequests } from '@parlance/contracts';
import { inheritQuotas, quotaUse } from '@parlance/object-storage';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Host } from '@parlance/service-host';
import { Limits } from '../limits.js';
import { chunkQuota, documentQuota } from '../quotas.js';

type Storage = (typeof serviceRequests)['knowledgeStorage'];
type Begin = (typeof serviceRequests)['knowledgeBegin'];

@Controller()
@Serves()
export class StorageController {
  constructor(
    private readonly host: Host,
    private readonly limits: Limits,
  ) {}

  async 'knowledge.storage'({ caller }: RpcRequest<Storage>): Promise<Data<Storage>> {
    const { db } = this.host;
    const { organizationId } = caller;
    return {
      bytes: await quotaUse(db, organizationId, documentQuota, this.limits.documentBytes),
      chunks: await quotaUse(db, organizationId, chunkQuota, this.limits.chunks),
    };
  }

  async 'knowledge.begin'({ body, caller }: RpcRequest<Begin>): Promise<Data<Begin>> {
    const { db, clock } = this.host;
    const { organizationId } = caller;
    const usual = { bytes: this.limits.documentBytes, chunks: this.limits.chunks };
    await inheritQuotas(db, { organizationId, earlierIds: body.earlierIds }, usual, clock.now());
    return {};
  }
}
