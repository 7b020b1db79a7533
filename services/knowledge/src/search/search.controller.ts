// Searching, for people and for the runtimes of calls.
import { Controller } from '@nestjs/common';
import { type contract, type Data, type Passage, type Result, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { refuseEndedCall } from '@parlance/postgres';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Host } from '@parlance/service-host';
import { knowledgeForAgent } from './for-agent.js';
import { Search } from './search.js';

type SearchRow = (typeof contract)['knowledgeSearch'];
type SearchInCall = (typeof contract)['knowledgeSearchInCall'];
type ForAgent = (typeof serviceRequests)['knowledgeForAgent'];

/** The most characters of all passages of one answer in a call: the default of an agent's `rag.maxChars`. */
const mostCharacters = 8_000;

/** Whole passages, best first; the first one is always among them. Their contexts get the room that is left. */
const withinCharacters = (passages: readonly Passage[]): Passage[] => {
  let characters = 0;
  const fitting = passages.filter(({ text }, rank) => {
    characters += text.length;
    return rank === 0 || characters <= mostCharacters;
  });
  let left = mostCharacters - fitting.reduce((sum, { text }) => sum + text.length, 0);
  return fitting.map((passage) => {
    const length = passage.context?.length ?? 0;
    if (length > left) return { ...passage, context: null };
    left -= length;
    return passage;
  });
};

@Controller()
@Serves()
export class SearchController {
  constructor(
    private readonly host: Host,
    private readonly search: Search,
  ) {}

  async 'knowledge.search'({ body, caller, requestId }: RpcRequest<SearchRow>): Promise<Data<SearchRow>> {
    const { organizationId } = caller;
    await this.#refuseUnknownAgent(organizationId, body.agentId, requestId);
    return this.search.find({ organizationId, ...body });
  }

  async 'knowledge.searchInCall'({ body, caller }: RpcRequest<SearchInCall>): Promise<Data<SearchInCall>> {
    const { organizationId, actor } = caller;
    if (actor.type !== 'call') throw new AppError('UNAUTHENTICATED');
    const { db, clock } = this.host;
    await refuseEndedCall(db, { organizationId, callId: actor.id, clock });
    return withinCharacters(await this.search.find({ organizationId, agentId: actor.agentId, ...body }));
  }

  async 'knowledge.forAgent'({ body, caller }: RpcRequest<ForAgent>): Promise<Result<ForAgent>> {
    const { organizationId } = caller;
    const scope = { organizationId, agentId: body.agentId };
    return this.host.db.transaction((tx) => knowledgeForAgent(tx, scope), { snapshot: true });
  }

  async #refuseUnknownAgent(organizationId: string, agentId: string, requestId: string): Promise<void> {
    const { rpc, callerFor } = this.host;
    const caller = callerFor(organizationId);
    const { data } = await rpc.call(
      serviceRequests.agentsReference,
      { body: { agentId } },
      { caller, requestId },
    );
    if (data.name === null) throw new AppError('AGENT_NOT_FOUND');
  }
}
