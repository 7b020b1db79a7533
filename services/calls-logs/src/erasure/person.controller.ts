// Erases calls for other services: those of a person, by the telephone number, for the gateway, and those of an outbound call for the dialer.
import { Controller } from '@nestjs/common';
import type { Result, serviceRequests } from '@parlance/contracts';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { callsOfNumber, countOfNumber } from '../read-models/call-search.js';
import { deleteCall } from './delete-call.js';

type CountPerson = (typeof serviceRequests)['callsCountPerson'];
type ErasePerson = (typeof serviceRequests)['callsErasePerson'];
type Erase = (typeof serviceRequests)['callsErase'];

/** Few enough for the time that a request has. */
const callsAtOnce = 20;

@Controller()
@Serves()
export class PersonController {
  constructor(private readonly parts: Parts) {}

  /** A call in progress counts from its first report on. */
  async 'calls.countPerson'({ body, caller }: RpcRequest<CountPerson>): Promise<Result<CountPerson>> {
    const { db, personalData } = this.parts;
    await this.#untilFound(caller.organizationId);
    return countOfNumber(db, personalData, { ...body, organizationId: caller.organizationId });
  }

  /**
   * Erases some calls, and answers when they are erased. A call in progress is erased like one that has ended: it continues, and
   * what is reported of it later is sealed with a key that is kept nowhere.
   */
  async 'calls.erasePerson'({ body, caller }: RpcRequest<ErasePerson>): Promise<Result<ErasePerson>> {
    const { db, calls, personalData, eraser, clock } = this.parts;
    const { phoneNumber, erasureId, requestedBy } = body;
    const { organizationId } = caller;
    // Calls that the request before has deleted are found no more.
    await this.#untilFound(organizationId);
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

  /** Deletes them; the job of erasures does the rest within seconds, as for a call that a person deletes. */
  async 'calls.erase'({ body, caller }: RpcRequest<Erase>): Promise<Result<Erase>> {
    const { calls, clock } = this.parts;
    const { callIds, erasureId, requestedBy: by } = body;
    const { organizationId } = caller;
    const now = clock.now().toISOString();
    let erased = 0;
    for (const callId of callIds) {
      const deletion = { organizationId, callId, by, requestId: `${erasureId}:${callId}`, now };
      if (await deleteCall(calls, deletion)) erased += 1;
    }
    return { erased };
  }

  /** A call is found as soon as its first report is stored. */
  async #untilFound(organizationId: string): Promise<void> {
    await this.parts.untilReportsRecorded(organizationId);
    await this.parts.untilSearchable();
  }
}
