// Answers with the spending that an organization sees, and reserves the money that telephony-numbers asks for.
import { Controller } from '@nestjs/common';
import type { contract, Data, Result, serviceRequests } from '@parlance/contracts';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { agentOfCall } from '../integration/agent-of-call.js';
import { reserving } from '../ledger/operator-spend.js';
import { reserveNumber } from '../ledger/paid-numbers.js';
import { dayRange, readSpend } from '../ledger/spend-view.js';
import { settingsOf } from '../limits/organization-settings.js';
import { dayOf, utcDayOf } from '../rules/calendar.js';
import { longestSeconds, worstCaseMicros } from '../rules/worst-case.js';
import { Parts } from './parts.js';

type SpendGet = (typeof contract)['spendGet'];
type WorstCase = (typeof contract)['spendWorstCase'];
type ReserveNumber = (typeof serviceRequests)['spendReserveNumber'];

@Controller()
@Serves()
export class SpendController {
  constructor(private readonly parts: Parts) {}

  async 'spend.get'({ query, caller }: RpcRequest<SpendGet>): Promise<Result<SpendGet>> {
    const { db, clock } = this.parts;
    const { organizationId } = caller;
    const now = clock.now();
    const today = dayOf(await this.#dayZoneOf(organizationId), now);
    const range = dayRange(query, today);
    return readSpend(db, { organizationId, range, today, utcDay: utcDayOf(now) });
  }

  async 'spend.worstCase'({ query, caller, requestId }: RpcRequest<WorstCase>): Promise<Result<WorstCase>> {
    const { db, spend } = this.parts;
    const { organizationId } = caller;
    const { agentId, phoneNumber = '' } = query;
    const { maxDurationSeconds } = await agentOfCall(this.parts, { organizationId, agentId, requestId });
    const table = await spend.rates(db);
    // Digits without a plus can only be read with the country of the caller number, and this request names no caller
    // number.
    const rateMicros = table.microsPerStartedMinute(phoneNumber.startsWith('+') ? phoneNumber : '');
    const seconds = longestSeconds(maxDurationSeconds, spend.maxCallSeconds);
    return {
      currency: table.currency,
      rateMicros,
      longestSeconds: seconds,
      worstCaseMicros: worstCaseMicros({ rateMicros, seconds }),
    };
  }

  async 'spend.reserveNumber'({ body, caller }: RpcRequest<ReserveNumber>): Promise<Data<ReserveNumber>> {
    const { db, clock } = this.parts;
    const { organizationId } = caller;
    const when = { dayZone: await this.#dayZoneOf(organizationId), now: clock.now() };
    await reserving(db, (tx, shares) => reserveNumber(tx, { ...body, organizationId }, when, shares));
    return {};
  }

  async #dayZoneOf(organizationId: string): Promise<string> {
    const { db, askSettings, clock } = this.parts;
    return (await settingsOf(db, askSettings, organizationId, clock.now())).dayZone;
  }
}
