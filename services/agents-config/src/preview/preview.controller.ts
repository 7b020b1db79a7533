// Preview sessions: a room of its own with the agent dispatched into it, and a token for it. The room is made first,
// because the media server makes none for a browser that joins. So a room that is gone stays gone (ADR 14). The room
// says which call it is and no more, because its visitor can read that.
import { Controller } from '@nestjs/common';
import {
  callContext,
  type contract,
  type PreviewSession,
  type Result,
  type serviceRequests,
} from '@parlance/contracts';
import { roomOfCall } from '@parlance/media-rooms';
import { type RpcRequest, Serves } from '@parlance/rpc';
import type { z } from 'zod';
import { ready } from '../agents/agent-record.js';
import { getAgent } from '../agents/agents-repository.js';
import { Parts } from '../parts.js';
import { findPreviewCall, keepPreviewCall } from './preview-calls.js';

type PreviewCall = (typeof serviceRequests)['agentsPreviewCall'];

const joinWithinSeconds = 300;
const maxDurationSeconds = 600;
const maxParticipants = 3;

@Controller()
@Serves()
export class PreviewController {
  constructor(private readonly parts: Parts) {}

  async 'agents.previewSession'({
    params,
    body,
    caller,
  }: RpcRequest<(typeof contract)['agentsPreviewSession']>): Promise<z.input<typeof PreviewSession>> {
    const { organizationId } = caller;
    const agent = ready(await getAgent(this.parts.db, organizationId, params.agentId));
    const [sessionId, callId] = [this.parts.ids.next(), this.parts.ids.next()];
    const roomName = `pv_${sessionId}`;
    const identity = `preview_${sessionId}`;
    const context = callContext({
      callId,
      organizationId,
      agentId: agent.id,
      configVersion: agent.config_version,
      channel: 'preview',
      direction: 'inbound',
      dynamicVariables: body.dynamicVariables ?? {},
      maxDurationSeconds,
    });
    const { db, rooms, clock } = this.parts;
    // Kept before the room is made, because the media server tells of the room at once.
    await keepPreviewCall(db, context, clock.now());
    await rooms.createRoom({
      ...roomOfCall(context),
      ...{ name: roomName, emptyTimeoutSeconds: joinWithinSeconds, maxParticipants },
    });
    const token = await rooms.browserToken({ room: roomName, identity, ttlSeconds: joinWithinSeconds });
    const expiresAt = new Date(clock.now().getTime() + joinWithinSeconds * 1_000);
    return {
      sessionId,
      agentId: agent.id,
      callId,
      roomName,
      serverUrl: this.parts.mediaServerUrl,
      token,
      identity,
      configVersion: agent.config_version,
      maxDurationSeconds,
      expiresAt: expiresAt.toISOString(),
    };
  }

  async 'agents.previewCall'({ body }: RpcRequest<PreviewCall>): Promise<Result<PreviewCall>> {
    return { context: await findPreviewCall(this.parts.db, body.callId) };
  }
}
