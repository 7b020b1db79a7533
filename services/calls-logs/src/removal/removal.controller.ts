// What the gateway asks before it removes an organization.
import { Controller } from '@nestjs/common';
import type { Result, serviceRequests } from '@parlance/contracts';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { liveCallIds } from '../read-models/call-index.js';

type LiveCount = (typeof serviceRequests)['callsLiveCount'];

@Controller()
@Serves()
export class RemovalController {
  constructor(private readonly parts: Parts) {}

  /** Of those that the index shows as live, the streams know which still are. */
  async 'calls.liveCount'({ caller }: RpcRequest<LiveCount>): Promise<Result<LiveCount>> {
    const { db, calls } = this.parts;
    const shown = await liveCallIds(db, caller.organizationId);
    const states = await Promise.all(shown.map((id) => calls.findOwn(caller.organizationId, id)));
    return { live: states.filter((call) => call?.phase === 'live').length };
  }
}
