// The voice runtime hands over finished calls.
import { Controller } from '@nestjs/common';
import type { contract, IngestInput } from '@parlance/contracts';
import { AppError, errorCodes } from '@parlance/errors';
import { removedAmong } from '@parlance/postgres';
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
    await this.#refuseRemoved(body);
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

  /** @throws AppError UNKNOWN_REFERENCE for an organization that was removed for good */
  async #refuseRemoved({ organizationId }: IngestInput): Promise<void> {
    if ((await removedAmong(this.parts.db, [organizationId])).size > 0)
      throw new AppError('UNKNOWN_REFERENCE', { details: { path: 'body.organizationId' } });
  }

  /** The call that was handed over under this event id first. Also tells whether all of it is news, as far as one can tell. */
  async #claim({ eventId, callId }: IngestInput): Promise<{ callId: string; isUnheardOf: boolean }> {
    const { rows } = await this.parts.db.query<{ call_id: string; unheard_of: boolean }>({
      name: 'ingest-claim',
      text: `insert into ingests (event_id, call_id) values ($1, $2)
             on conflict (event_id) do update set call_id = ingests.call_id
             returning call_id,
               xmax = 0 and not exists (select from call_index where call_id = $2) as unheard_of`,
      values: [eventId, callId],
    });
    const [row] = rows;
    return { callId: row?.call_id ?? callId, isUnheardOf: row?.unheard_of ?? false };
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
