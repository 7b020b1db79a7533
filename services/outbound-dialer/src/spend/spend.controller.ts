// Answers with the spending that an organization sees, and reserves the money that telephony-numbers asks for.
import { Controller } from '@nestjs/common';
import type { contract, Data, Result, serviceRequests } from '@parlance/contracts';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { settingsOf } from '../admission/organization-settings.js';
import { Parts } from '../parts.js';
import { dayOf } from './calendar.js';
import { reserveNumber } from './paid-numbers.js';
import { dayRange, readSpend } from './spend-view.js';

type SpendGet = (typeof contract)['spendGet'];
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
