// Answers the gateway's requests for what an organization stores as recordings, and for the quota of one that begins.
import { Controller } from '@nestjs/common';
import type { Data, serviceRequests } from '@parlance/contracts';
import { inheritQuotas, quotaUse } from '@parlance/object-storage';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { recordingQuota } from '../quotas.js';

type Storage = (typeof serviceRequests)['callsStorage'];
type Begin = (typeof serviceRequests)['callsBegin'];

@Controller()
@Serves()
export class StorageController {
  constructor(private readonly parts: Parts) {}

  'calls.storage'({ caller }: RpcRequest<Storage>): Promise<Data<Storage>> {
    const { db, recordings } = this.parts;
    return quotaUse(db, caller.organizationId, recordingQuota, recordings.usualQuota);
  }

  async 'calls.begin'({ body, caller }: RpcRequest<Begin>): Promise<Data<Begin>> {
    const { db, clock, recordings } = this.parts;
    const { organizationId } = caller;
    const usual = { bytes: recordings.usualQuota };
    await inheritQuotas(db, { organizationId, earlierIds: body.earlierIds }, usual, clock.now());
    return {};
  }
}
