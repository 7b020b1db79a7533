// The reports of the media server on rooms, after the gateway has verified its signature.
import { Controller } from '@nestjs/common';
import type { Result, serviceRequests } from '@parlance/contracts';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { reportOf } from './room-report.js';

type RoomReport = (typeof serviceRequests)['callsRoomEvent'];

@Controller()
@Serves()
export class RoomsController {
  constructor(private readonly parts: Parts) {}

  /** Answered once the report is stored; until then the media server sends it again. */
  async 'calls.roomEvent'({ body }: RpcRequest<RoomReport>): Promise<Result<RoomReport>> {
    const report = reportOf(body);
    if (report !== undefined) await this.parts.roomReports.store(report);
    return { recorded: report !== undefined };
  }
}
