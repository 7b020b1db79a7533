// The gateway closes an organization here before it removes it, learns the count of its numbers, and may reopen it.
import { Controller } from '@nestjs/common';
import type { Result, serviceRequests } from '@parlance/contracts';
import { closeOrganization, Database, isCleared, reopenOrganization } from '@parlance/postgres';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { countNumbers } from '../numbers/numbers-repository.js';

type Close = (typeof serviceRequests)['numbersCloseOrganization'];
type Reopen = (typeof serviceRequests)['numbersReopenOrganization'];
type Cleared = (typeof serviceRequests)['numbersOrganizationCleared'];

@Controller()
@Serves()
export class RemovalController {
  constructor(private readonly db: Database) {}

  async 'numbers.closeOrganization'({ body, caller }: RpcRequest<Close>): Promise<Result<Close>> {
    const { organizationId } = caller;
    await this.db.transaction((tx) => closeOrganization(tx, { organizationId, ...body }));
    return { numbers: await countNumbers(this.db, organizationId) };
  }

  async 'numbers.reopenOrganization'({ body, caller }: RpcRequest<Reopen>): Promise<Result<Reopen>> {
    await reopenOrganization(this.db, { organizationId: caller.organizationId, ...body });
    return { reopened: true };
  }

  async 'numbers.organizationCleared'({ body, caller }: RpcRequest<Cleared>): Promise<Result<Cleared>> {
    return { cleared: await isCleared(this.db, { organizationId: caller.organizationId, ...body }) };
  }
}
