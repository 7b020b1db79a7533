// The gateway asks here whether anything is left of an organization that it has removed.
import { Controller } from '@nestjs/common';
import type { Result, serviceRequests } from '@parlance/contracts';
import { Database, isCleared } from '@parlance/postgres';
import { type RpcRequest, Serves } from '@parlance/rpc';

type Cleared = (typeof serviceRequests)['mcpOrganizationCleared'];

@Controller()
@Serves()
export class RemovalController {
  constructor(private readonly db: Database) {}

  async 'mcp.organizationCleared'({ body, caller }: RpcRequest<Cleared>): Promise<Result<Cleared>> {
    return { cleared: await isCleared(this.db, { organizationId: caller.organizationId, ...body }) };
  }
}
