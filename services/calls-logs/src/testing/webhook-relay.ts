// For tests: takes the media server's webhooks and hands them on as the gateway does.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { RoomEvent } from '@parlance/contracts';
import { createWebhookVerifier } from '@parlance/media-rooms';

export interface WebhookRelay {
  readonly url: string;
  stop(): Promise<void>;
}

/** `deliver` gets the signed event; unless it succeeds, the media server sends the event again. */
export const startWebhookRelay = async (
  credentials: { readonly apiKey: string; readonly apiSecret: string },
  deliver: (event: RoomEvent) => Promise<unknown>,
): Promise<WebhookRelay> => {
  const verify = createWebhookVerifier(credentials.apiKey, credentials.apiSecret);
  const server = createServer((request, response) => {
    const delivered = buffer(request).then(async (body) =>
      deliver(await verify(body, request.headers.authorization)),
    );
    delivered.then(
      () => response.writeHead(200).end(),
      () => response.writeHead(503).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
