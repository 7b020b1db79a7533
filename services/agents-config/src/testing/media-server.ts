// LiveKit's stand-in beside the service, and the clients that look at the service's work there.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLiveKit } from '@parlance/fake-livekit';
import { AgentDispatchClient, RoomServiceClient } from 'livekit-server-sdk';

export interface MediaServer {
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly rooms: RoomServiceClient;
  readonly dispatch: AgentDispatchClient;
  /** Joins with a token, as a browser does; resolves with all that the server sends to the participant. */
  join(token: string): Promise<unknown>;
  /** Lets the next request about rooms fail in this mode. */
  fault(mode: string): Promise<void>;
  stop(): Promise<void>;
}

/** Webhooks and the runtime's requests go nowhere. */
const nowhere = 'http://127.0.0.1:9';

export const startMediaServer = async (): Promise<MediaServer> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parlance-previews-'));
  const [apiKey, apiSecret] = ['key', randomBytes(32).toString('base64')];
  const livekit = await startLiveKit({
    ...{ dataDir, apiKey, apiSecret, webhookUrl: nowhere, platformUrl: nowhere },
    ...{ internalKey: 'internal', agentName: 'somebody-else' },
  });
  const { url } = livekit;
  return {
    ...{ url, apiKey, apiSecret },
    rooms: new RoomServiceClient(url, apiKey, apiSecret, { failover: false }),
    dispatch: new AgentDispatchClient(url, apiKey, apiSecret, { failover: false }),
    join: async (token) => {
      const joined = await fetch(`${url}/sandbox/joins`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      if (!joined.ok) throw new Error(`not let in: ${joined.status} ${await joined.text()}`);
      return joined.json();
    },
    fault: async (mode) => {
      await fetch(`${url}/sandbox/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${apiSecret}` },
        body: JSON.stringify({ target: 'rooms', mode, times: 1 }),
      });
    },
    stop: async () => {
      await livekit.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};
