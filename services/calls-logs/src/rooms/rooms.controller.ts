// The reports of the media server on rooms, after the gateway has verified its signature.
import { Controller } from '@nestjs/common';
import type { Result, serviceRequests } from '@parlance/contracts';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { recordRoomEvent } from './record-room-event.js';

type RoomReport = (typeof serviceRequests)['callsRoomEvent'];

@Controller()
@Serves()
export class RoomsController {
  constructor(private readonly parts: Parts) {}

  async 'calls.roomEvent'({ body, requestId }: RpcRequest<RoomReport>): Promise<Result<RoomReport>> {
    return { recorded: await recordRoomEvent(this.parts, body, { reporter: 'media-server', requestId }) };
  }
}
