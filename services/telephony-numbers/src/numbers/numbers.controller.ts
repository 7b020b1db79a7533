// Numbers: search, buy, list, give to an agent, give back; and the dialer's questions about one.
import { Controller } from '@nestjs/common';
import type {
  contract,
  Data,
  NumberPurchaseFacts,
  PhoneNumber,
  Result,
  serviceRequests,
} from '@parlance/contracts';
import { AppError, isErrorCode } from '@parlance/errors';
import { Cursors, StoredForm, type Tx } from '@parlance/postgres';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import { Host } from '@parlance/service-host';
import { Purchases } from '../purchase/purchases.js';
import { Holds } from '../release/holds.js';
import { Releases } from '../release/releases.js';
import { agentToAnswer, refuseDeletedAgent } from './agents-of-numbers.js';
import { type Actor, announceNumber, audit } from './announce.js';
import { CallerNumbers } from './caller-numbers.js';
import { type NumberRow, toPhoneNumber } from './number-record.js';
import { type AgentOfNumber, findNumber, listNumbers, lockNumber, setAgent } from './numbers-repository.js';
import { Offers } from './offers.js';

type Contract = typeof contract;
type ForDialing = (typeof serviceRequests)['numbersForDialing'];
type OwnedAtProvider = (typeof serviceRequests)['numbersOwnedAtProvider'];

type Begin = (typeof serviceRequests)['numbersBegin'];
type Hold = (typeof serviceRequests)['numbersHold'];

const defaultSearchLimit = 20;

/** The result of a purchase that is asked for again. @throws AppError the reason of a failed one */
const boughtBefore = (row: NumberRow): PhoneNumber => {
  const { status, failure_code: code } = row;
  if (status === 'failed') throw new AppError(isErrorCode(code) ? code : 'PROVIDER_ERROR');
  return toPhoneNumber(row);
};

const boughtNow = (row: NumberRow): PhoneNumber | Answer<PhoneNumber> =>
  row.status === 'active'
    ? toPhoneNumber(row)
    : answer(toPhoneNumber(row), { message: 'Number bought; it works in a moment' });

@Controller()
@Serves()
export class NumbersController {
  constructor(
    private readonly host: Host,
    private readonly cursors: Cursors,
    private readonly offers: Offers,
    private readonly callerNumbers: CallerNumbers,
    private readonly purchases: Purchases,
    private readonly releases: Releases,
    private readonly holds: Holds,
    private readonly begunPurchases: StoredForm,
  ) {}

  async 'numbers.search'({
    query,
    caller,
  }: RpcRequest<Contract['numbersSearch']>): Promise<Data<Contract['numbersSearch']>> {
    const { provider, country, areaCode, limit = defaultSearchLimit } = query;
    return this.offers.search(caller.organizationId, provider, { country, areaCode, limit });
  }

  async 'numbers.list'({
    query,
    caller,
  }: RpcRequest<Contract['numbersList']>): Promise<Answer<PhoneNumber[]>> {
    const { db, clock } = this.host;
    const { organizationId } = caller;
    const scope = { organizationId, route: 'numbers.list', filters: {} };
    const { rows, next } = await this.cursors.page(scope, query, (keyset) =>
      listNumbers(db, organizationId, clock.now(), keyset),
    );
    return answer(rows.map(toPhoneNumber), next);
  }

  async 'numbers.buy'({
    body,
    composed,
    caller,
    requestId,
    commandId,
  }: RpcRequest<Contract['numbersBuy']>): Promise<PhoneNumber | Answer<PhoneNumber>> {
    const { db, ids } = this.host;
    const { organizationId } = caller;
    if (composed !== undefined) return this.#orderBegun(organizationId, composed);
    // Under an Idempotency-Key the command's id is the number's, so that a second try finds the purchase of the first
    // one.
    const id = commandId ?? ids.next();
    const before = commandId === undefined ? undefined : await findNumber(db, organizationId, id);
    if (before !== undefined) return boughtBefore(before);
    const { provider, phoneNumber } = body;
    const terms = await this.offers.terms({ organizationId, provider, phoneNumber }, body.quoteId);
    const row = await this.purchases.buy(
      { id, organizationId, provider, phoneNumber, ...terms },
      { caller, requestId },
    );
    return boughtNow(row);
  }

  async 'numbers.begin'({
    body: { provider, phoneNumber, quoteId },
    caller,
    requestId,
    commandId,
  }: RpcRequest<Begin>): Promise<Result<Begin>> {
    const { db, ids } = this.host;
    const { organizationId } = caller;
    if (!(await this.begunPurchases.isReadByAll(db))) return { begun: null };
    const id = commandId ?? ids.next();
    if (commandId !== undefined && (await findNumber(db, organizationId, id))) return { begun: null };
    const terms = await this.offers.terms({ organizationId, provider, phoneNumber }, quoteId);
    const number = { id, organizationId, provider, phoneNumber, ...terms };
    return { begun: await this.purchases.begin(number, { caller, requestId }) };
  }

  async 'numbers.hold'({ body, caller }: RpcRequest<Hold>): Promise<Result<Hold>> {
    return { hold: await this.holds.hold(caller.organizationId, body.numberId) };
  }

  async #orderBegun(
    organizationId: string,
    facts: NumberPurchaseFacts,
  ): Promise<PhoneNumber | Answer<PhoneNumber>> {
    const row = await this.purchases.orderBegun(organizationId, facts);
    if (row !== undefined) return boughtNow(row);
    const before = await findNumber(this.host.db, organizationId, facts.numberId);
    if (before === undefined) throw new AppError('PROVIDER_ERROR');
    return boughtBefore(before);
  }

  async 'numbers.assign'({
    params,
    body,
    caller,
    requestId,
  }: RpcRequest<Contract['numbersAssign']>): Promise<PhoneNumber> {
    const { organizationId } = caller;
    const { agentId } = body;
    const agent =
      agentId === null ? null : await agentToAnswer(this.host, organizationId, agentId, requestId);
    return this.host.db.transaction(async (tx) => {
      if (agentId !== null) await refuseDeletedAgent(tx, agentId);
      const row = await lockNumber(tx, organizationId, params.phId);
      if (row.status === 'releasing') throw new AppError('CONFLICT', { details: { status: row.status } });
      if (row.agent_id === agentId) return toPhoneNumber(row);
      return toPhoneNumber(await this.#give(tx, row, agent, { caller, requestId }));
    });
  }

  async 'numbers.release'({
    params,
    composed,
    caller,
    requestId,
  }: RpcRequest<Contract['numbersRelease']>): Promise<undefined> {
    await this.releases.release(caller.organizationId, params.phId, { caller, requestId }, composed);
  }

  async 'numbers.forDialing'({ body, caller }: RpcRequest<ForDialing>): Promise<Result<ForDialing>> {
    return this.callerNumbers.bought(caller.organizationId, body.fromNumber);
  }

  async 'numbers.ownedAtProvider'({
    body,
    caller,
  }: RpcRequest<OwnedAtProvider>): Promise<Result<OwnedAtProvider>> {
    return this.callerNumbers.keptAtProvider(caller.organizationId, body);
  }

  async #give(tx: Tx, row: NumberRow, agent: AgentOfNumber | null, by: Actor): Promise<NumberRow> {
    const now = this.host.clock.now();
    const given = await setAgent(tx, row.id, agent, now);
    if (given === undefined) throw new Error('a locked number is gone');
    await announceNumber(tx, this.host, given);
    const about = { organizationId: row.organization_id, numberId: row.id, by };
    const details = { from: row.agent_id, to: given.agent_id };
    await audit(tx, now, { action: 'assignment.changed', ...about, details });
    return given;
  }
}
