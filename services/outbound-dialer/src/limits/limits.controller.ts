// Answers the other services' requests for an organization's limits.
import { Controller } from '@nestjs/common';
import type { Data, serviceRequests } from '@parlance/contracts';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { beginLimits, operatorLimitsOf } from './operator-limits.js';

type LimitsBegin = (typeof serviceRequests)['limitsBegin'];
type LimitsOf = (typeof serviceRequests)['limitsOf'];

@Controller()
@Serves()
export class LimitsController {
  constructor(private readonly parts: Parts) {}

  async 'limits.of'({ caller }: RpcRequest<LimitsOf>): Promise<Data<LimitsOf>> {
    const { concurrentCalls, countries } = await operatorLimitsOf(this.parts.db, caller.organizationId);
    return { concurrentCalls, countries: countries === null ? null : [...countries] };
  }

  async 'limits.begin'({ body, caller }: RpcRequest<LimitsBegin>): Promise<Data<LimitsBegin>> {
    const { db, clock } = this.parts;
    await beginLimits(db, caller.organizationId, body, clock.now());
    return {};
  }
}
