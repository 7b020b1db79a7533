// Logins of connections: the address that a person opens, and the answer that the person brings back.
import { Controller } from '@nestjs/common';
import type { contract, McpAuthorization, Result, serviceRequests } from '@parlance/contracts';
import { Database } from '@parlance/postgres';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { getConnection } from './connections-repository.js';
import { Logins } from './logins.js';

type Contract = typeof contract;
type Finish = (typeof serviceRequests)['mcpFinishLogin'];

@Controller()
@Serves()
export class LoginsController {
  constructor(
    private readonly db: Database,
    private readonly logins: Logins,
  ) {}

  async 'mcp.authorize'({
    params,
    caller,
    requestId,
  }: RpcRequest<Contract['mcpAuthorize']>): Promise<McpAuthorization> {
    const connection = await getConnection(this.db, caller.organizationId, params.mcpConnectionId);
    return this.logins.begin(connection, { caller, requestId });
  }

  async 'mcp.finishLogin'({ body, caller }: RpcRequest<Finish>): Promise<Result<Finish>> {
    return { outcome: await this.logins.finish(caller, body) };
  }
}
