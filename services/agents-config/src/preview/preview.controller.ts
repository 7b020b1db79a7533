// Preview sessions: a room of its own with the agent dispatched into it, and a token for it. The room is made first,
// because the media server makes none for a browser that joins: a room that is gone stays gone (ADR 0035).
import { Controller } from '@nestjs/common';
import type { contract, PreviewSession } from '@parlance/contracts';
import { type RpcRequest, Serves } from '@parlance/rpc';
import type { z } from 'zod';
import { ready } from '../agents/agent-record.js';
import { getAgent } from '../agents/agents-repository.js';
import { Parts } from '../parts.js';

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
    const metadata = {
      callId,
      organizationId,
      agentId: agent.id,
      configVersion: agent.config_version,
      channel: 'preview',
      direction: 'inbound',
      dynamicVariables: body.dynamicVariables ?? {},
      maxDurationSeconds,
    };
    const { rooms } = this.parts;
    await rooms.createRoom({
      ...{ name: roomName, metadata, agent: { metadata } },
      ...{ emptyTimeoutSeconds: joinWithinSeconds, maxParticipants },
    });
    const token = await rooms.previewToken({ room: roomName, identity, ttlSeconds: joinWithinSeconds });
    const expiresAt = new Date(this.parts.clock.now().getTime() + joinWithinSeconds * 1_000);
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
}
