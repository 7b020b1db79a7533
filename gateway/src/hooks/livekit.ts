// POST /hooks/livekit: the reports of the media server. Answered 200 only after the service has stored the report; any
// other answer makes the media server send it again.

import type { RoomEvent } from '@parlance/contracts';
import { serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { bodyReader, defaultBodyLimit } from '@parlance/http';
import { platformCaller, type RpcClient } from '@parlance/rpc';
import type { RequestHandler } from 'express';
import { envelope, sendJson } from '../http/answer.js';

/** @throws (rejects) AppError INVALID_SIGNATURE unless the media server signed exactly these bytes, recently */
export type VerifyWebhook = (body: Buffer, authorization: string | undefined) => Promise<RoomEvent>;

export interface LiveKitHookOptions {
  readonly verify: VerifyWebhook;
  readonly rpc: RpcClient;
}

export const liveKitHook = ({ verify, rpc }: LiveKitHookOptions): RequestHandler => {
  const read = bodyReader(defaultBodyLimit);
  // The event only names the room; the service finds its organization.
  const caller = platformCaller('gateway', '');
  return async (request, response) => {
    response.locals.route = 'hooks.livekit';
    const { authorization } = request.headers;
    if (authorization === undefined) throw new AppError('INVALID_SIGNATURE');
    const bytes = await read(request, response);
    const event = await verify(bytes ?? Buffer.alloc(0), authorization);
    const context = { caller, requestId: response.locals.requestId };
    await rpc.call(serviceRequests.callsRoomEvent, { body: event }, context);
    sendJson(response, 200, envelope({ message: 'Recorded' }));
  };
};
