// The gateway asks here whether anything is left of an organization that it has removed.
import { Controller } from '@nestjs/common';
import type { Result, serviceRequests } from '@parlance/contracts';
import { isCleared } from '@parlance/postgres';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';

type Cleared = (typeof serviceRequests)['knowledgeOrganizationCleared'];

@Controller()
@Serves()
export class RemovalController {
  constructor(private readonly parts: Parts) {}

  async 'knowledge.organizationCleared'({ body, caller }: RpcRequest<Cleared>): Promise<Result<Cleared>> {
    return { cleared: await isCleared(this.parts.db, { organizationId: caller.organizationId, ...body }) };
  }
}
