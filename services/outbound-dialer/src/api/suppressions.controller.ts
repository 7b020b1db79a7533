// The suppression list as its organization sees and changes it.
import { Controller } from '@nestjs/common';
import {
  type Caller,
  type contract,
  type Data,
  events,
  type Result,
  type Suppression,
} from '@parlance/contracts';
import { announce, type CursorScope, refuseClosed } from '@parlance/postgres';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import { optOutOfCall, recordOptOut } from '../suppressions/opt-out.js';
import { factsOf } from '../suppressions/suppression-facts.js';
import {
  listSuppressions,
  numbersToSuppress,
  numberToFind,
  removeSuppression,
  type SuppressionPosition,
  suppress,
} from '../suppressions/suppressions.js';
import { Parts } from './parts.js';

type Contract = typeof contract;

const defaultPageSize = 20;

const actorOf = ({ actor }: Caller): string => `${actor.type}:${actor.id}`;

@Controller()
@Serves()
export class SuppressionsController {
  constructor(private readonly parts: Parts) {}

  async 'suppressions.list'({
    query,
    caller,
  }: RpcRequest<Contract['suppressionsList']>): Promise<Answer<Result<Contract['suppressionsList']>>> {
    const { cursors, hashNumbers } = this.parts;
    const { organizationId } = caller;
    const { limit = defaultPageSize, cursor, ...filters } = query;
    const scope: CursorScope = { organizationId, route: 'suppressions.list', filters };
    const after = toPosition(cursors.decode(scope, cursor));
    // One row more than the page tells whether there is a next page.
    const page = { limit: limit + 1, after };
    const phoneNumber = filters.phoneNumber === undefined ? undefined : numberToFind(filters.phoneNumber);
    const [numberHash = ''] = phoneNumber === undefined ? [] : await hashNumbers([phoneNumber]);
    const number = phoneNumber === undefined ? undefined : { phoneNumber, numberHash };
    const found = await listSuppressions(this.parts, organizationId, number, page);
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
    const { db, clock, ids, hashNumbers, personalData } = this.parts;
    const { organizationId } = caller;
    const numbers = await numbersToSuppress(this.parts, organizationId, body.phoneNumbers);
    const hashes = await hashNumbers(numbers);
    const entries = numbers.map((phoneNumber, index) => ({
      id: ids.next(),
      phoneNumber,
      numberHash: hashes[index] ?? '',
    }));
    const how = {
      source: 'request',
      actor: actorOf(caller),
      callId: null,
      reason: body.reason ?? null,
      at: clock.now(),
    } as const;
    return db.transaction(async (tx): Promise<Suppression[]> => {
      await refuseClosed(tx, organizationId);
      const known = await suppress(tx, personalData, organizationId, entries, how);
      const suppressionId = known.length === 1 ? (known[0]?.id ?? null) : null;
      const data = { suppressionId, change: 'created' as const };
      await announce(tx, this.parts, events.suppressionsChanged, organizationId, data);
      return known;
    });
  }

  async 'suppressions.history'({
    query,
    caller,
  }: RpcRequest<Contract['suppressionsHistory']>): Promise<Data<Contract['suppressionsHistory']>> {
    const { db, hashNumbers } = this.parts;
    const [numberHash = ''] = await hashNumbers([numberToFind(query.phoneNumber)]);
    return factsOf(db, caller.organizationId, numberHash);
  }

  async 'suppressions.addOfCall'({
    params: { callId },
    caller: { organizationId },
  }: RpcRequest<Contract['suppressionsAddOfCall']>): Promise<undefined> {
    const { db } = this.parts;
    const optOut = await optOutOfCall(db, this.parts, { organizationId, callId });
    if (optOut !== undefined) await db.transaction((tx) => recordOptOut(tx, this.parts, optOut));
  }

  async 'suppressions.delete'({
    params,
    query,
    caller,
  }: RpcRequest<Contract['suppressionsDelete']>): Promise<undefined> {
    const { organizationId } = caller;
    const { suppressionId } = params;
    const { db, clock, hashNumbers } = this.parts;
    const remover = {
      actor: actorOf(caller),
      role: caller.role,
      reason: query.reason ?? null,
      at: clock.now(),
    };
    await db.transaction(async (tx) => {
      await removeSuppression(tx, organizationId, suppressionId, remover, hashNumbers);
      const data = { suppressionId, change: 'deleted' as const };
      await announce(tx, this.parts, events.suppressionsChanged, organizationId, data);
    });
  }
}

/** Cursors are signed, so a returned cursor holds a position that this controller encoded. */
const toPosition = (position: readonly (string | number)[] | undefined): SuppressionPosition | undefined =>
  position === undefined ? undefined : { createdAt: String(position[0]), id: String(position[1]) };
