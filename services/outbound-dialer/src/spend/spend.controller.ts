// Answers with the spending that an organization sees, and reserves the money that telephony-numbers asks for.
import { Controller } from '@nestjs/common';
import type { contract, Data, Result, serviceRequests } from '@parlance/contracts';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { settingsOf } from '../admission/organization-settings.js';
import { agentOfCall } from '../outbound-call/agent-of-call.js';
import { Parts } from '../parts.js';
import { dayOf } from './calendar.js';
import { reserveNumber } from './paid-numbers.js';
import { dayRange, readSpend } from './spend-view.js';
import { longestSeconds, worstCaseMicros } from './worst-case.js';

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
    const today = dayOf(await this.#timezoneOf(organizationId), clock.now());
    const range = dayRange(query, today);
    return readSpend(db, { organizationId, range, today });
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
    const timezone = await this.#timezoneOf(organizationId);
    const when = { timezone, now: clock.now() };
    await db.transaction((tx) => reserveNumber(tx, { ...body, organizationId }, when));
    return {};
  }

  async #timezoneOf(organizationId: string): Promise<string> {
    const { db, askSettings } = this.parts;
    return (await settingsOf(db, askSettings, organizationId)).timezone;
  }
}
