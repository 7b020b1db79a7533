// Takes the events that the voice runtime tells of a call while it lasts.
import { Controller } from '@nestjs/common';
import type { CallProgress, contract, ProgressEvent } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { phaseOfKnown } from './known-call.js';
import type { ToldTurn } from './live-turns.js';

type Progress = (typeof contract)['callsProgress'];

const iso = (moment: string): string => new Date(moment).toISOString();

const turnIn = (event: ProgressEvent): ToldTurn[] => {
  if (event.type !== 'turn') return [];
  const { seq: eventSeq, at, turn } = event;
  return [{ eventSeq, turn: { ...turn, createdAt: iso(turn.createdAt ?? at) } }];
};

/** Turns alone are kept. States and measurements are for people who watch a live call, and nothing shows them yet. */
const turnsIn = ({ events }: CallProgress): ToldTurn[] => events.flatMap(turnIn);

@Controller()
@Serves()
export class ProgressController {
  constructor(private readonly parts: Parts) {}

  /** Turns of a call without a report so far are kept under the token's organization and agent. */
  async 'calls.progress'({ params, body, caller }: RpcRequest<Progress>): Promise<undefined> {
    const { organizationId, actor } = caller;
    const { callId } = params;
    if (actor.type !== 'call' || actor.id !== callId) throw new AppError('UNAUTHENTICATED');
    const key = { organizationId, agentId: actor.agentId, callId };
    const now = this.parts.clock.now();
    const phase = await phaseOfKnown(this.parts.db, key, now);
    const told = turnsIn(body);
    if (told.length === 0 || (phase === 'ended' && (await this.#isHandedOver(callId)))) return;
    await this.parts.liveTurns.add(key, told, now);
  }

  async #isHandedOver(callId: string): Promise<boolean> {
    const call = await this.parts.calls.find(callId);
    return call !== undefined && (call.ingested !== null || call.deletedAt !== null);
  }
}
