// The erasure of a person by the telephone number, as the API shows it.
import {
  contract,
  type Data,
  type ErasureState,
  type Input,
  type PersonCounts,
  serviceRequests,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Clock, Ids } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { platformCaller, type RpcClient, type RpcContext } from '@parlance/rpc';
import { addErasure, findErasure, shownErasure } from './erasure-rows.js';
import type { PersonKeys } from './person-keys.js';

type Delete = (typeof contract)['peopleDelete'];
type Get = (typeof contract)['peopleErasure'];

export interface PeopleOptions {
  readonly db: Database;
  readonly rpc: RpcClient;
  readonly keys: PersonKeys;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Requests between services are the platform's own. */
const asPlatform = ({ caller, ...context }: RpcContext): RpcContext => ({
  ...context,
  caller: platformCaller('gateway', caller.organizationId),
});

const actorOf = ({ caller: { actor } }: RpcContext): string => `${actor.type}:${actor.id}`;

export class People {
  readonly #options: PeopleOptions;

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  /** Counts first; erases when the confirmation of that comes back. @throws AppError CONFIRMATION_INVALID */
  async delete({ params, query }: Input<Delete>, context: RpcContext): Promise<Data<Delete>> {
    const { db, keys, clock, ids } = this.#options;
    const { organizationId } = context.caller;
    const { phoneNumber } = params;
    const erasure = { organizationId, phoneNumber, actor: actorOf(context) };
    const now = clock.now();
    if (query.confirmation === undefined) {
      const found = await this.#count(phoneNumber, context);
      const { text, before } = keys.confirmation(erasure, { id: ids.next(), found, now });
      return { found, confirmation: text, confirmBefore: before.toISOString(), erasure: null };
    }
    const confirmed = keys.confirmed(erasure, query.confirmation, now);
    if (confirmed === undefined) throw new AppError('CONFIRMATION_INVALID');
    const { id, found } = confirmed;
    // First, so that no running campaign calls the number again.
    if (query.doNotCall === 'true') await this.#suppress(phoneNumber, context);
    await addErasure(db, {
      id,
      kind: 'person',
      organizationId,
      subject: keys.hash(erasure),
      sealedNumber: keys.seal(id, phoneNumber),
      requestedBy: erasure.actor,
    });
    const row = await findErasure(db, organizationId, id);
    if (row === undefined) throw new AppError('NOT_FOUND');
    return { found, confirmation: null, confirmBefore: null, erasure: shownErasure(row) };
  }

  /** @throws AppError NOT_FOUND */
  async erasure({ params }: Input<Get>, { caller }: RpcContext): Promise<ErasureState> {
    const row = await findErasure(this.#options.db, caller.organizationId, params.erasureId);
    if (row === undefined) throw new AppError('NOT_FOUND');
    return shownErasure(row);
  }

  async #count(phoneNumber: string, context: RpcContext): Promise<PersonCounts> {
    const { rpc } = this.#options;
    const body = { phoneNumber };
    const [calls, dialer] = await Promise.all([
      rpc.call(serviceRequests.callsCountPerson, { body }, asPlatform(context)),
      rpc.call(serviceRequests.outboundCallsCountPerson, { body }, asPlatform(context)),
    ]);
    return { ...calls.data, ...dialer.data };
  }

  async #suppress(phoneNumber: string, context: RpcContext): Promise<void> {
    const body = { phoneNumbers: [phoneNumber], reason: 'erasure of the person' };
    await this.#options.rpc.call(contract.suppressionsCreate, { body }, context);
  }
}
