// Takes and gives back the places of calls in a browser, for the services that make their rooms.
import { Controller } from '@nestjs/common';
import type { Result, serviceRequests } from '@parlance/contracts';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { giveBrowserPlaceBack, takeBrowserPlace } from '../dispatch/browser-places.js';
import { Parts } from './parts.js';

type Take = (typeof serviceRequests)['placesTake'];
type GiveBack = (typeof serviceRequests)['placesGiveBack'];

@Controller()
@Serves()
export class PlacesController {
  constructor(private readonly parts: Parts) {}

  async 'places.take'({ body, caller }: RpcRequest<Take>): Promise<Result<Take>> {
    const { db, askSettings, clock, browserMinuteMicros: rateMicros } = this.parts;
    const { organizationId } = caller;
    await takeBrowserPlace({ db, askSettings, rateMicros }, { ...body, organizationId }, clock.now());
    return {};
  }

  async 'places.giveBack'({ body, caller }: RpcRequest<GiveBack>): Promise<Result<GiveBack>> {
    const { callId, seconds } = body;
    const call = { organizationId: caller.organizationId, callId };
    await giveBrowserPlaceBack(this.parts.db, call, seconds, this.parts.clock.now());
    return {};
  }
}
