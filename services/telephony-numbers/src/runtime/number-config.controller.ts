// The configuration of a number's agent, for the voice runtime when the number is called. The service agents-config
// owns agents and their configuration. This service only knows the agent's id.
import { Controller } from '@nestjs/common';
import { contract, type Data, type Result } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { activeNumberOfAnyOrganization } from '../numbers/numbers-repository.js';
import { Parts } from '../parts.js';

type NumberConfig = (typeof contract)['internalNumberConfig'];

@Controller()
@Serves()
export class NumberConfigController {
  constructor(private readonly parts: Parts) {}

  async 'internal.numberConfig'({
    params,
    query,
    requestId,
    deadline,
  }: RpcRequest<NumberConfig>): Promise<Data<NumberConfig>> {
    const { db, rpc, callerFor } = this.parts;
    const row = await activeNumberOfAnyOrganization(db, params.phoneNumber);
    if (row === undefined) throw new AppError('NUMBER_NOT_FOUND');
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
