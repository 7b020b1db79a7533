// The media server of a world with its phones. It is the stand-in, which simulates them, or a real LiveKit with telephones
// on the wire. Both fail as a world's faults say, and both keep a ledger.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type LiveKitBinaries, startLiveKitServer } from '@parlance/engines';
import { type LiveKitFaults, startLiveKit } from '@parlance/fake-livekit';
import { startTelephones } from '@parlance/telephones';
import { SipClient } from 'livekit-server-sdk';
import { type CallLog, receiveWebhooks } from './call-log.js';
import { startFaultProxy } from './fault-proxy.js';

const apiKey = 'key';

export interface MediaServer {
  /** Environment variables that tell dialers of the server. */
  readonly variables: Readonly<Record<string, string>>;
  readonly ledgerPath: string;
  stop(): Promise<void>;
}

interface Parts {
  readonly dataDir: string;
  readonly faults: LiveKitFaults;
  readonly callLog: CallLog;
}

const variablesOf = (url: string, wsUrl: string, apiSecret: string, trunkId: string) => ({
  LIVEKIT_URL: url,
  LIVEKIT_WS_URL: wsUrl,
  LIVEKIT_API_KEY: apiKey,
  LIVEKIT_API_SECRET: apiSecret,
  SIP_OUTBOUND_TRUNK_ID: trunkId,
});

export const startSimulatedMedia = async ({ dataDir, faults, callLog }: Parts): Promise<MediaServer> => {
  const hooks = await receiveWebhooks((webhook) => callLog.hear(webhook));
  const trunkId = 'ST_chaos';
  writeFileSync(join(dataDir, 'trunks.json'), JSON.stringify([{ sipTrunkId: trunkId }]));
  const apiSecret = randomBytes(32).toString('base64');
  const liveKit = await startLiveKit({
    dataDir,
    apiKey,
    apiSecret,
    webhookUrl: hooks.url,
    platformUrl: hooks.url,
    internalKey: 'internal',
    // no agent has this name, so none talks: the call log says when a conversation is over
    agentName: 'nobody',
    timeScale: 10,
    faults,
  });
  return {
    variables: variablesOf(liveKit.url, liveKit.wsUrl, apiSecret, trunkId),
    ledgerPath: liveKit.ledgerPath,
    stop: async () => {
      await liveKit.stop();
      await hooks.stop();
    },
  };
};

/** @throws Error where SIPp is not installed */
export const startRealMedia = async (
  { dataDir, faults, callLog }: Parts,
  binaries: LiveKitBinaries,
): Promise<MediaServer> => {
  const parts: { stop(): Promise<unknown> }[] = [];
  const stop = async (): Promise<void> => {
    for (const part of parts.splice(0)) await part.stop();
  };
  const own = <T extends { stop(): Promise<unknown> }>(part: T): T => {
    parts.unshift(part);
    return part;
  };
  try {
    const hear = (webhook: unknown): void => {
      const { mode, ms } = faults.take('webhooks');
      if (mode === 'late') setTimeout(() => callLog.hear(webhook), ms).unref();
      else callLog.hear(webhook);
    };
    const hooks = own(await receiveWebhooks(hear));
    const port = await freePort();
    const apiSecret = randomBytes(32).toString('base64');
    const url = `http://127.0.0.1:${port}`;
    own(
      await startLiveKitServer({
        dataDir: join(dataDir, 'livekit'),
        log: (program) => join(dataDir, `${program}.log`),
        port,
        apiKey,
        apiSecret,
        webhookUrl: hooks.url,
        binaries,
      }),
    );
    const ledgerFile = join(dataDir, 'ledger.jsonl');
    const telephones = own(
      await startTelephones({
        dataDir: join(dataDir, 'telephones'),
        logFile: join(dataDir, 'sipp.log'),
        ledgerFile,
      }),
    );
    const sip = new SipClient(url, apiKey, apiSecret, { failover: false });
    const trunk = await sip.createSipOutboundTrunk('chaos', telephones.address, ['*']);
    const proxy = own(await startFaultProxy(url, faults));
    return {
      variables: variablesOf(proxy.url, `ws://127.0.0.1:${port}`, apiSecret, trunk.sipTrunkId),
      ledgerPath: ledgerFile,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
