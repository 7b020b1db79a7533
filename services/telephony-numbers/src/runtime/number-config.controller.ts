// The configuration of a number's agent, for the voice runtime when the number is called. The service agents-config
// owns agents and their configuration. This service only knows the agent's id.
import { Controller } from '@nestjs/common';
import { contract, type Data, type Result, type serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Host } from '@parlance/service-host';
import { InboundPace } from '../numbers/inbound-pace.js';

type NumberConfig = (typeof contract)['internalNumberConfig'];
type AgentOf = (typeof serviceRequests)['numbersAgentOf'];

@Controller()
@Serves()
export class NumberConfigController {
  constructor(
    private readonly host: Host,
    private readonly pace: InboundPace,
  ) {}

  async 'numbers.agentOf'({ body: { phoneNumber } }: RpcRequest<AgentOf>): Promise<Result<AgentOf>> {
    const row = await this.pace.admit(phoneNumber);
    if (row.agent_id === null) throw new AppError('AGENT_NOT_FOUND');
    return { organizationId: row.organization_id, agentId: row.agent_id, phoneNumber: row.phone_number };
  }

  /** For gateways of 0.2.0, which request the whole configuration of telephony-numbers. */
  async 'internal.numberConfig'({
    params,
    query,
    requestId,
    deadline,
  }: RpcRequest<NumberConfig>): Promise<Data<NumberConfig>> {
    const { rpc, callerFor } = this.host;
    const row = await this.pace.admit(params.phoneNumber);
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
}
