// Counts the open calls of an organization for the gateway, which asks before it removes the organization.
import { Controller } from '@nestjs/common';
import type { Result, serviceRequests } from '@parlance/contracts';
import { isCleared } from '@parlance/postgres';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { openCallIds } from '../read-models/call-index.js';

type OpenCount = (typeof serviceRequests)['callsOpenCount'];
type Cleared = (typeof serviceRequests)['callsOrganizationCleared'];

@Controller()
@Serves()
export class RemovalController {
  constructor(private readonly parts: Parts) {}

  /** The index names the calls that look open; their streams decide. */
  async 'calls.openCount'({ caller }: RpcRequest<OpenCount>): Promise<Result<OpenCount>> {
    const { db, calls } = this.parts;
    const shown = await openCallIds(db, caller.organizationId);
    const states = await Promise.all(shown.map((id) => calls.findOwn(caller.organizationId, id)));
    return { open: states.filter((call) => call !== undefined && call.phase !== 'ended').length };
  }

  async 'calls.organizationCleared'({ body, caller }: RpcRequest<Cleared>): Promise<Result<Cleared>> {
    return { cleared: await isCleared(this.parts.db, { organizationId: caller.organizationId, ...body }) };
  }
}
