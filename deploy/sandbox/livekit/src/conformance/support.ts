// The server that the conformance suite talks to: the one at CONFORMANCE_LIVEKIT_URL, or the stand-in. The suite itself
// knows only a URL, a key, a secret and the official clients, so that a real server with its SIP service must pass it too.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentDispatchClient, RoomServiceClient, SipClient } from 'livekit-server-sdk';
import { startLiveKit } from '../index.js';

export interface Clients {
  readonly rooms: RoomServiceClient;
  readonly sip: SipClient;
  readonly dispatch: AgentDispatchClient;
}

export interface ConformanceTarget extends Clients {
  readonly url: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

export const clientsAt = (url: string, apiKey: string, apiSecret: string): Clients => ({
  rooms: new RoomServiceClient(url, apiKey, apiSecret, { failover: false }),
  sip: new SipClient(url, apiKey, apiSecret, { failover: false }),
  dispatch: new AgentDispatchClient(url, apiKey, apiSecret, { failover: false }),
});

export const conformanceTarget = async (): Promise<ConformanceTarget> => {
  const given = process.env.CONFORMANCE_LIVEKIT_URL;
  const apiKey = process.env.LIVEKIT_API_KEY ?? 'APItest';
  const apiSecret = process.env.LIVEKIT_API_SECRET ?? 'a-secret-of-at-least-thirty-two-bytes';
  const dataDir = await mkdtemp(join(tmpdir(), 'parlance-livekit-'));
  // Nobody listens to the webhooks of this suite.
  const nobody = 'http://127.0.0.1:9';
  const server =
    given === undefined
      ? await startLiveKit({
          dataDir,
          apiKey,
          apiSecret,
          webhookUrl: nobody,
          platformUrl: nobody,
          internalKey: 'internal',
          agentName: 'parlance-voice',
        })
      : undefined;
  const url = server?.url ?? given ?? '';
  return {
    ...clientsAt(url, apiKey, apiSecret),
    url,
    apiKey,
    close: async () => {
      await server?.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
