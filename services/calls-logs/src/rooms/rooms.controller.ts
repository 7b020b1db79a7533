// What the media server reports of rooms, after the gateway has verified its signature.
import { Controller } from '@nestjs/common';
import type { Result, serviceRequests } from '@parlance/contracts';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { reportedBy } from '../call/call-repository.js';
import { Parts } from '../parts.js';
import { callOfRoom, describedByRoom, factOf } from './room-metadata.js';

type RoomReport = (typeof serviceRequests)['callsRoomEvent'];

@Controller()
@Serves()
export class RoomsController {
  constructor(private readonly parts: Parts) {}

  async 'calls.roomEvent'({ body, requestId }: RpcRequest<RoomReport>): Promise<Result<RoomReport>> {
    const call = callOfRoom(body.room.metadata);
    const fact = call && factOf(call.callId, body);
    if (call === undefined || fact === undefined) return { recorded: false };
    const { organizationId, agentId } = call;
    const agentName = await this.parts.agentNames.nameOf(organizationId, agentId, requestId);
    await this.parts.calls.handle(
      call.callId,
      {
        type: 'RecordRoomFact',
        now: this.parts.clock.now().toISOString(),
        ...describedByRoom(call, body, agentName),
        fact,
      },
      reportedBy('media-server', { factId: body.id, organizationId, occurredAt: body.at }),
    );
    return { recorded: true };
  }
}
