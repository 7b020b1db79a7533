// Answers the other services' requests for an organization's limits.
import { Controller } from '@nestjs/common';
import type { Data, serviceRequests } from '@parlance/contracts';
import { inheritQuotas, quotaUse } from '@parlance/object-storage';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { beginLimits, operatorLimitsOf } from '../limits/operator-limits.js';
import { fileQuota } from '../limits/quotas.js';
import { Parts } from './parts.js';

type LimitsBegin = (typeof serviceRequests)['limitsBegin'];
type LimitsOf = (typeof serviceRequests)['limitsOf'];
type Storage = (typeof serviceRequests)['outboundCallsStorage'];

@Controller()
@Serves()
export class LimitsController {
  constructor(private readonly parts: Parts) {}

  async 'limits.of'({ caller }: RpcRequest<LimitsOf>): Promise<Data<LimitsOf>> {
    const { concurrentCalls, countries } = await operatorLimitsOf(this.parts.db, caller.organizationId);
    return { concurrentCalls, countries: countries === null ? null : [...countries] };
  }

  async 'limits.begin'({ body, caller }: RpcRequest<LimitsBegin>): Promise<Data<LimitsBegin>> {
    const { db, clock, usualFileBytes: bytes } = this.parts;
    const { organizationId } = caller;
    const { earlierIds } = body;
    const now = clock.now();
    await db.transaction(async (tx) => {
      await beginLimits(tx, organizationId, body, now);
      await inheritQuotas(tx, { organizationId, earlierIds }, { bytes }, now);
    });
    return {};
  }

  'outboundCalls.storage'({ caller }: RpcRequest<Storage>): Promise<Data<Storage>> {
    const { db, usualFileBytes } = this.parts;
    return quotaUse(db, caller.organizationId, fileQuota, usualFileBytes);
  }
}
