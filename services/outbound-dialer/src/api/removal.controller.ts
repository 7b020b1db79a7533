// The gateway closes an organization here before it removes the organization, and can reopen it. Closing counts the
// calls and campaigns that have not ended.
import { Controller } from '@nestjs/common';
import type { Result, serviceRequests } from '@parlance/contracts';
import { closeOrganization, isCleared, reopenOrganization } from '@parlance/postgres';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { openCampaignsOf } from '../campaigns/campaign-numbers.js';
import { openCallIds } from '../dispatch/call-slots.js';
import { CampaignParts } from './campaign-parts.js';

type Close = (typeof serviceRequests)['outboundCallsCloseOrganization'];
type Reopen = (typeof serviceRequests)['outboundCallsReopenOrganization'];
type Cleared = (typeof serviceRequests)['outboundCallsOrganizationCleared'];

@Controller()
@Serves()
export class RemovalController {
  constructor(private readonly parts: CampaignParts) {}

  async 'outboundCalls.closeOrganization'({ body, caller }: RpcRequest<Close>): Promise<Result<Close>> {
    const { db, clock } = this.parts;
    const { organizationId } = caller;
    await db.transaction((tx) => closeOrganization(tx, { organizationId, ...body }));
    const now = clock.now();
    const [calls, campaigns] = await Promise.all([
      openCallIds(db, organizationId, now),
      openCampaignsOf(this.parts, organizationId, now),
    ]);
    return { campaigns: campaigns.length, outboundCalls: calls.length };
  }

  async 'outboundCalls.reopenOrganization'({ body, caller }: RpcRequest<Reopen>): Promise<Result<Reopen>> {
    await reopenOrganization(this.parts.db, { organizationId: caller.organizationId, ...body });
    return { reopened: true };
  }

  async 'outboundCalls.organizationCleared'({ body, caller }: RpcRequest<Cleared>): Promise<Result<Cleared>> {
    return { cleared: await isCleared(this.parts.db, { organizationId: caller.organizationId, ...body }) };
  }
}
