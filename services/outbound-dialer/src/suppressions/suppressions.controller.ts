// The suppression list as its organization sees and changes it.
import { Controller } from '@nestjs/common';
import { type contract, type Data, events, type Result, type Suppression } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { announce, type CursorScope, refuseClosed } from '@parlance/postgres';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import {
  listSuppressions,
  numbersToSuppress,
  numberToFind,
  removeSuppression,
  type SuppressionPosition,
  suppress,
} from './suppressions.js';

type Contract = typeof contract;

const defaultPageSize = 20;

@Controller()
@Serves()
export class SuppressionsController {
  constructor(private readonly parts: Parts) {}

  async 'suppressions.list'({
    query,
    caller,
  }: RpcRequest<Contract['suppressionsList']>): Promise<Answer<Result<Contract['suppressionsList']>>> {
    const { db, cursors } = this.parts;
    const { organizationId } = caller;
    const { limit = defaultPageSize, cursor, ...filters } = query;
    const scope: CursorScope = { organizationId, route: 'suppressions.list', filters };
    const after = toPosition(cursors.decode(scope, cursor));
    // One row more than the page tells whether there is a next page.
    const page = { limit: limit + 1, after };
    const phoneNumber = filters.phoneNumber === undefined ? undefined : numberToFind(filters.phoneNumber);
    const found = await listSuppressions(db, organizationId, phoneNumber, page);
    const last = found.length > limit ? found[limit - 1] : undefined;
    return answer(
      found.slice(0, limit),
      last === undefined ? {} : { nextCursor: cursors.encode(scope, [last.createdAt, last.id]) },
    );
  }

  async 'suppressions.create'({
    body,
    caller,
  }: RpcRequest<Contract['suppressionsCreate']>): Promise<Data<Contract['suppressionsCreate']>> {
    const { db, clock, ids } = this.parts;
    const { organizationId } = caller;
    const numbers = await numbersToSuppress(db, organizationId, body.phoneNumbers);
    const entries = numbers.map((phoneNumber) => ({ id: ids.next(), phoneNumber }));
    const how = { reason: body.reason ?? null, at: clock.now() };
    return db.transaction(async (tx): Promise<Suppression[]> => {
      await refuseClosed(tx, organizationId);
      const known = await suppress(tx, organizationId, entries, how);
      const suppressionId = known.length === 1 ? (known[0]?.id ?? null) : null;
      const data = { suppressionId, change: 'created' as const };
      await announce(tx, this.parts, events.suppressionsChanged, organizationId, data);
      return known;
    });
  }

  async 'suppressions.delete'({
    params,
    caller,
  }: RpcRequest<Contract['suppressionsDelete']>): Promise<undefined> {
    const { organizationId } = caller;
    const { suppressionId } = params;
    await this.parts.db.transaction(async (tx) => {
      if (!(await removeSuppression(tx, organizationId, suppressionId))) throw new AppError('NOT_FOUND');
      const data = { suppressionId, change: 'deleted' as const };
      await announce(tx, this.parts, events.suppressionsChanged, organizationId, data);
    });
  }
}

/** Cursors are signed, so a returned cursor holds a position that this controller encoded. */
const toPosition = (position: readonly (string | number)[] | undefined): SuppressionPosition | undefined =>
  position === undefined ? undefined : { createdAt: String(position[0]), id: String(position[1]) };
