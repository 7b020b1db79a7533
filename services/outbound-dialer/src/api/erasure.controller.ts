// The gateway counts what is kept of a person, and has it erased.
import { Controller } from '@nestjs/common';
import type { Data, serviceRequests } from '@parlance/contracts';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { erasePerson, numberKeyOf } from '../erasure/erase-person.js';
import { countOfNumber } from '../erasure/person-rows.js';
import { Parts } from './parts.js';

type Count = (typeof serviceRequests)['outboundCallsCountPerson'];
type Erase = (typeof serviceRequests)['outboundCallsErasePerson'];

@Controller()
@Serves()
export class ErasureController {
  constructor(private readonly parts: Parts) {}

  async 'outboundCalls.countPerson'({
    body,
    caller: { organizationId },
  }: RpcRequest<Count>): Promise<Data<Count>> {
    return countOfNumber(this.parts.db, await numberKeyOf(this.parts, { organizationId, ...body }));
  }

  async 'outboundCalls.erasePerson'({
    body: { phoneNumber },
    caller: { organizationId },
  }: RpcRequest<Erase>): Promise<Data<Erase>> {
    return erasePerson(this.parts, { organizationId, phoneNumber });
  }
}
