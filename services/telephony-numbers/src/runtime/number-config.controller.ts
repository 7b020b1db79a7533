// The configuration of a number's agent, for the voice runtime when the number is called. The service agents-config
// owns agents and their configuration. This service only knows the agent's id.
import { Controller } from '@nestjs/common';
import { contract, type Data, type Result, type serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { countCall } from '../numbers/inbound-pace.js';
import type { NumberRow } from '../numbers/number-record.js';
import { Parts } from '../parts.js';

/** Longer than a runtime waits with a caller on the line, so it hangs up at once. */
const retryAfterSeconds = 60;

type NumberConfig = (typeof contract)['internalNumberConfig'];
type AgentOf = (typeof serviceRequests)['numbersAgentOf'];

@Controller()
@Serves()
export class NumberConfigController {
  constructor(private readonly parts: Parts) {}

  async 'numbers.agentOf'({ body: { phoneNumber } }: RpcRequest<AgentOf>): Promise<Result<AgentOf>> {
    const {
      organization_id: organizationId,
      agent_id: agentId,
      phone_number,
    } = await this.#counted(phoneNumber);
    if (agentId === null) throw new AppError('AGENT_NOT_FOUND');
    return { organizationId, agentId, phoneNumber: phone_number };
  }

  /** For gateways of 0.2.0, which request the whole configuration of telephony-numbers. */
  async 'internal.numberConfig'({
    params,
    query,
    requestId,
    deadline,
  }: RpcRequest<NumberConfig>): Promise<Data<NumberConfig>> {
    const { rpc, callerFor } = this.parts;
    const row = await this.#counted(params.phoneNumber);
    if (row.agent_id === null) throw new AppError('AGENT_NOT_FOUND');
    const answer = await rpc.dispatch(
      contract.internalAgentConfig,
      { params: { agentId: row.agent_id }, query, body: {} },
      {
        caller: callerFor(row.organization_id),
        requestId,
        ...(deadline === 0 ? {} : { deadline }),
      },
    );
    // agents-config's handler was checked against the row's type when it was compiled.
    const data = JSON.parse(answer.json.toString()) as Result<typeof contract.internalAgentConfig>;
    // Agents are asked for by their id alone here; a number answers for its own organization and for no other.
    if (data.agent.organizationId !== row.organization_id) throw new AppError('AGENT_NOT_FOUND');
    return { ...data, phoneNumber: row.phone_number };
  }

  /** @throws AppError NUMBER_NOT_FOUND; RATE_LIMITED for a call beyond the pace of its number */
  async #counted(phoneNumber: string): Promise<NumberRow> {
    const { db, clock, logger, rooms, inboundCallsPerMinute: perMinute } = this.parts;
    const counted = await countCall(db, phoneNumber, { now: clock.now(), perMinute });
    if (counted === undefined) throw new AppError('NUMBER_NOT_FOUND');
    if (!counted.isOverPace) return counted.number;
    if (counted.isFirst) {
      logger.warn({ numberId: counted.number.id, perMinute }, 'number closed: too many inbound calls');
      await rooms
        .unrouteInbound(phoneNumber)
        .catch((err: unknown) => logger.warn({ err, numberId: counted.number.id }, 'number not closed'));
    }
    throw new AppError('RATE_LIMITED', { retryAfterSeconds });
  }
}
