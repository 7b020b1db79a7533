// The dashboard's summary.
import { Controller } from '@nestjs/common';
import type { contract, DashboardSummary } from '@parlance/contracts';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { rateTable } from '../hand-over/pricing.js';
import { Parts } from '../parts.js';
import { countCalls } from './counts.js';
import { parseRange } from './ranges.js';
import { timezoneOf } from './settings.js';
import { summaryOf } from './summary.js';

@Controller()
@Serves()
export class DashboardController {
  constructor(private readonly parts: Parts) {}

  async 'dashboard.summary'({
    query,
    caller,
    requestId,
  }: RpcRequest<(typeof contract)['dashboardSummary']>): Promise<DashboardSummary> {
    const { db, clock } = this.parts;
    const { organizationId } = caller;
    const range = parseRange(query, clock.now(), await timezoneOf(this.parts, organizationId, requestId));
    const counts = await countCalls(db, organizationId, range);
    return summaryOf(counts, range, rateTable.currency);
  }
}
