// The voice runtime hands over finished calls.
import { Controller } from '@nestjs/common';
import type { contract, IngestInput } from '@parlance/contracts';
import { AppError, errorCodes } from '@parlance/errors';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { type HandOver, handOverOf, withAgentName } from './hand-over.js';

type Ingest = (typeof contract)['callsIngest'];

const isPassing = (error: unknown): boolean =>
  error instanceof AppError && errorCodes[error.code].retryable === true;

@Controller()
@Serves()
export class HandOverController {
  constructor(private readonly parts: Parts) {}

  async 'calls.ingest'({ body, requestId }: RpcRequest<Ingest>): Promise<Answer<{ callId: string }>> {
    const now = this.parts.clock.now().toISOString();
    const handOver = handOverOf(body, now);
    const callId = await this.#callOfEvent(body);
    if (callId !== body.callId) return answer({ callId }, { repeated: true });
    const agentName = await this.#agentName(body, requestId);
    const isNew = await this.#record(body, handOver, agentName, requestId);
    return answer({ callId }, { repeated: !isNew });
  }

  /** The call that was handed over under this event id first. */
  async #callOfEvent({ eventId, callId }: IngestInput): Promise<string> {
    const { rows } = await this.parts.db.query<{ call_id: string }>({
      name: 'ingest-claim',
      text: `insert into ingests (event_id, call_id) values ($1, $2)
             on conflict (event_id) do update set call_id = ingests.call_id returning call_id`,
      values: [eventId, callId],
    });
    return rows[0]?.call_id ?? callId;
  }

  /** While nobody can tell the name, only a call that has one already is taken over; the runtime tries again. */
  async #agentName({ organizationId, agentId, callId }: IngestInput, requestId: string): Promise<string> {
    try {
      return await this.parts.agentNames.nameOf(organizationId, agentId, requestId);
    } catch (error) {
      const known = isPassing(error) ? await this.parts.calls.find(callId) : undefined;
      if (known === undefined) throw error;
      return known.description.agentName;
    }
  }

  async #record(
    body: IngestInput,
    { first, last }: HandOver,
    agentName: string,
    requestId: string,
  ): Promise<boolean> {
    const meta = {
      organizationId: body.organizationId,
      actor: 'platform:voice-runtime',
      requestId,
      occurredAt: last.end.endedAt,
      causationId: body.eventId,
    };
    for (const [index, command] of first.entries())
      await this.parts.calls.handle(body.callId, withAgentName(command, agentName), {
        ...meta,
        commandId: `ingest:${body.eventId}:${index}`,
      });
    const { events } = await this.parts.calls.handle(body.callId, withAgentName(last, agentName), {
      ...meta,
      commandId: `ingest:${body.eventId}`,
    });
    return events.some(({ type }) => type === 'CallIngested');
  }
}
