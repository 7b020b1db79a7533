// Stands between dialers and a real media server, which cannot be asked to fail. Requests are lost, refused or late on the
// way there, and answers on the way back.
import { type Listening, listen, withFaults } from '@parlance/fake-kit';
import { type LiveKitFaults, twirpFaults } from '@parlance/fake-livekit';
import express, { type Request, type Response } from 'express';

const targets: Readonly<Record<string, string>> = {
  '/twirp/livekit.RoomService/': 'rooms',
  '/twirp/livekit.SIP/CreateSIPParticipant': 'sip',
};

const targetOf = ({ path }: Request): string | undefined =>
  Object.entries(targets).find(([prefix]) => path.startsWith(prefix))?.[1];

/** Aborted when the client disconnects: its request then ends at the server too, as it would without the proxy. */
const whileWaitedFor = (response: Response): AbortSignal => {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
};

const forward = async (upstream: string, request: Request, response: Response): Promise<void> => {
  const answer = await fetch(new URL(request.originalUrl, upstream), {
    method: request.method,
    headers: {
      authorization: request.headers.authorization ?? '',
      'content-type': request.headers['content-type'] ?? 'application/json',
    },
    body: request.body,
    signal: whileWaitedFor(response),
  });
  const body = Buffer.from(await answer.arrayBuffer());
  response.status(answer.status);
  response.setHeader('content-type', answer.headers.get('content-type') ?? 'application/json');
  response.end(body);
};

export const startFaultProxy = (upstream: string, faults: LiveKitFaults): Promise<Listening> => {
  const app = express();
  app.use(express.raw({ type: () => true, limit: '1mb' }));
  app.use(withFaults(faults, targetOf, twirpFaults));
  app.use((request, response) => {
    // A server that cannot be reached, or a client that went away.
    forward(upstream, request, response).catch(() => request.socket.destroy());
  });
  return listen(app, {});
};
