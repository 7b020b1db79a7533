// Finds the calls of a person by a telephone number, and erases them, for the gateway.
import { Controller } from '@nestjs/common';
import type { Result, serviceRequests } from '@parlance/contracts';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { callsOfNumber, countOfNumber } from '../read-models/call-search.js';
import { deleteCall } from './delete-call.js';

type CountPerson = (typeof serviceRequests)['callsCountPerson'];
type ErasePerson = (typeof serviceRequests)['callsErasePerson'];

/** Few enough for the time that a request has. */
const callsAtOnce = 20;

@Controller()
@Serves()
export class PersonController {
  constructor(private readonly parts: Parts) {}

  /** A call in progress counts from its first report on. */
  async 'calls.countPerson'({ body, caller }: RpcRequest<CountPerson>): Promise<Result<CountPerson>> {
    const { db, personalData, untilSearchable } = this.parts;
    await untilSearchable();
    return countOfNumber(db, personalData, { ...body, organizationId: caller.organizationId });
  }

  /**
   * Erases some calls, and answers when they are erased. A call in progress is erased like one that has ended: it continues, and
   * what is reported of it later is sealed with a key that is kept nowhere.
   */
  async 'calls.erasePerson'({ body, caller }: RpcRequest<ErasePerson>): Promise<Result<ErasePerson>> {
    const { db, calls, personalData, eraser, clock, untilSearchable } = this.parts;
    const { phoneNumber, erasureId, requestedBy } = body;
    const { organizationId } = caller;
    // Calls that the request before has deleted are found no more.
    await untilSearchable();
    const callIds = await callsOfNumber(db, personalData, { organizationId, phoneNumber }, callsAtOnce);
    const requestedAt = clock.now();
    const now = requestedAt.toISOString();
    for (const callId of callIds)
      await deleteCall(calls, {
        organizationId,
        callId,
        by: requestedBy,
        requestId: `${erasureId}:${callId}`,
        now,
      });
    await eraser.erase(callIds.map((callId) => ({ callId, organizationId, requestedAt, isLogged: true })));
    return { erased: callIds.length, more: callIds.length === callsAtOnce };
  }
}
