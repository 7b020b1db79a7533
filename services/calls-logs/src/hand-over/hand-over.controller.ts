// The voice runtime hands over finished calls.
import { Controller } from '@nestjs/common';
import type { contract, IngestInput } from '@parlance/contracts';
import { AppError, errorCodes } from '@parlance/errors';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import type { PlatformFacts } from '../call/call-commands.js';
import { Parts } from '../parts.js';
import { completed, type HandOver, handOverOf } from './hand-over.js';
import { platformFactsOf } from './platform-facts.js';

type Ingest = (typeof contract)['callsIngest'];

const isPassing = (error: unknown): error is AppError =>
  error instanceof AppError && errorCodes[error.code].retryable === true;

@Controller()
@Serves()
export class HandOverController {
  constructor(private readonly parts: Parts) {}

  async 'calls.ingest'({
    body: reported,
    requestId,
  }: RpcRequest<Ingest>): Promise<Answer<{ callId: string }>> {
    const body = await this.parts.redactor.handOver(reported, requestId);
    const now = this.parts.clock.now().toISOString();
    const models = await this.parts.models.pricesFor(body, requestId);
    const handOver = handOverOf(body, now, { models, reported });
    // Before the claim, because a refused hand-over must leave its event id free for a right one.
    const [agentName, facts] = await Promise.all([
      this.#agentName(body, requestId),
      this.#platformFacts(body, requestId),
    ]);
    const { callId, isUnheardOf } = await this.#claim(body);
    if (callId !== body.callId) return answer({ callId }, { repeated: true });
    const isNew = await this.#record(body, handOver, { agentName, facts, requestId, isUnheardOf });
    return answer({ callId }, { repeated: !isNew });
  }

  async #platformFacts(body: IngestInput, requestId: string): Promise<PlatformFacts> {
    const { organizationId, configVersion: version = null } = body;
    const facts = await platformFactsOf(this.parts, { ...body, requestId });
    const toolRuns = await Promise.all(
      facts.toolRuns.map(async ({ agentId, run }) => {
        const redact = await this.parts.redactor.forToolRuns({ organizationId, agentId, version, requestId });
        return { agentId, run: redact(run) };
      }),
    );
    return { ...facts, toolRuns };
  }

  /**
   * The call that was handed over under this event id first. Also tells whether all of it is news, as far as one can tell.
   * @throws AppError UNKNOWN_REFERENCE for an organization that was removed for good
   */
  async #claim({
    eventId,
    callId,
    organizationId,
  }: IngestInput): Promise<{ callId: string; isUnheardOf: boolean }> {
    const { rows } = await this.parts.db.query<{ call_id: string; unheard_of: boolean }>({
      name: 'ingest-claim',
      text: `insert into ingests (event_id, call_id) select $1::uuid, $2::text
             where not exists (
               select from organization_closures where organization_id = $3 and state = 'removed')
             on conflict (event_id) do update set call_id = ingests.call_id
             returning call_id,
               xmax = 0 and not exists (select from call_index where call_id = $2) as unheard_of`,
      values: [eventId, callId, organizationId],
    });
    const [row] = rows;
    if (row === undefined)
      throw new AppError('UNKNOWN_REFERENCE', { details: { path: 'body.organizationId' } });
    return { callId: row.call_id, isUnheardOf: row.unheard_of };
  }

  /**
   * While agents-config does not answer, only a call that has the name already is taken over; the runtime tries again.
   * @throws AppError UNKNOWN_REFERENCE for an agent that never was the organization's, except in a call that is on record
   */
  async #agentName(body: IngestInput, requestId: string): Promise<string> {
    const { organizationId, agentId } = body;
    let unknown: AppError;
    try {
      const agent = await this.parts.agentNames.find(organizationId, agentId, requestId);
      if (agent.kind === 'known') return agent.name;
      const path = agent.isOrganizationKnown ? 'body.agentId' : 'body.organizationId';
      unknown = new AppError('UNKNOWN_REFERENCE', { details: { path } });
    } catch (error) {
      if (!isPassing(error)) throw error;
      unknown = error;
    }
    const name = await this.#nameInCall(body);
    if (name === undefined) throw unknown;
    return name;
  }

  /** The name in the call as dialer and media server told of it, if it is of this organization and agent. */
  async #nameInCall({ organizationId, agentId, callId }: IngestInput): Promise<string | undefined> {
    const description = (await this.parts.calls.find(callId))?.description;
    const isSame = description?.organizationId === organizationId && description.agentId === agentId;
    return isSame ? description.agentName : undefined;
  }

  async #record(
    body: IngestInput,
    { first, last }: HandOver,
    {
      requestId,
      isUnheardOf,
      ...known
    }: { agentName: string; facts: PlatformFacts; requestId: string; isUnheardOf: boolean },
  ): Promise<boolean> {
    const meta = {
      organizationId: body.organizationId,
      actor: 'platform:voice-runtime',
      requestId,
      occurredAt: last.end.endedAt,
      causationId: body.eventId,
    };
    for (const [index, command] of first.entries())
      await this.parts.calls.handle(body.callId, completed(command, known), {
        ...meta,
        commandId: `ingest:${body.eventId}:${index}`,
      });
    const { events } = await this.parts.calls.handle(
      body.callId,
      completed(last, known),
      { ...meta, commandId: `ingest:${body.eventId}` },
      { presumedNew: isUnheardOf && first.length === 0 },
    );
    return events.some(({ type }) => type === 'CallIngested');
  }
}
