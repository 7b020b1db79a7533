// The dashboard's summary.
import { Controller } from '@nestjs/common';
import type { contract, DashboardSummary } from '@parlance/contracts';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { rateTable } from '../hand-over/pricing.js';
import { Parts } from '../parts.js';
import { countCalls } from './counts.js';
import { parseRange } from './ranges.js';
import { summaryOf } from './summary.js';

@Controller()
@Serves()
export class DashboardController {
  constructor(private readonly parts: Parts) {}

  async 'dashboard.summary'({
    query,
    caller,
  }: RpcRequest<(typeof contract)['dashboardSummary']>): Promise<DashboardSummary> {
    const range = parseRange(query, this.parts.clock.now());
    const counts = await countCalls(this.parts.db, caller.organizationId, range);
    return summaryOf(counts, range, rateTable.currency);
  }
}
