// The server that the conformance suite talks to: the one at CONFORMANCE_LIVEKIT_URL, or the stand-in. The suite itself
// knows only a URL, a key, a secret and the official clients. A real server with its SIP service must therefore pass it
// too. Dials need phones: the stand-in has its own, and a real server calls the telephones at CONFORMANCE_SIP_ADDRESS,
// which write the ledger CONFORMANCE_SIP_LEDGER. Without the two variables the dials are left out on a real server.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentDispatchClient, RoomServiceClient, SipClient } from 'livekit-server-sdk';
import { readLedger, startLiveKit } from '../index.js';

const carrierGiven = process.env.CONFORMANCE_SIP_ADDRESS;
const ledgerGiven = process.env.CONFORMANCE_SIP_LEDGER;

/** Whether there is a phone to call. */
export const hasPhones =
  process.env.CONFORMANCE_LIVEKIT_URL === undefined ||
  (carrierGiven !== undefined && ledgerGiven !== undefined);

export interface Clients {
  readonly rooms: RoomServiceClient;
  readonly sip: SipClient;
  readonly dispatch: AgentDispatchClient;
}

export interface ConformanceTarget extends Clients {
  readonly url: string;
  readonly apiKey: string;
  /** The address that a trunk needs so that the phones are reached. */
  readonly carrier: string;
  /** The number of rings of a phone because of the dial into this room. */
  callsOf(room: string): Promise<{ readonly rings: number }>;
  close(): Promise<void>;
}

const ringsIn = async (ledger: string, room: string): Promise<number> => {
  let rings = 0;
  for await (const entry of readLedger(ledger)) if (entry.kind === 'ring' && entry.room === room) rings += 1;
  return rings;
};

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
  // No process listens to the webhooks of this suite.
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
  const ledger = server?.ledgerPath ?? ledgerGiven ?? '';
  return {
    ...clientsAt(url, apiKey, apiSecret),
    url,
    apiKey,
    carrier: (server ? undefined : carrierGiven) ?? 'carrier.example.com',
    callsOf: async (room) => ({ rings: await ringsIn(ledger, room) }),
    close: async () => {
      await server?.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
