// For tests: the media server's stand-in, whose webhooks arrive as the gateway would hand them on, or are lost on demand.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RoomEvent } from '@parlance/contracts';
import { createLiveKitFaults, type LiveKitFaults, startLiveKit } from '@parlance/fake-livekit';
import { startWebhookRelay } from './webhook-relay.js';

export interface TestLiveKit {
  readonly url: string;
  readonly wsUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly faults: LiveKitFaults;
  /** The receiver of the events; before a test sets one, events are dropped. */
  deliver: (event: RoomEvent) => Promise<unknown>;
  stop(): Promise<void>;
}

const nobody = async (): Promise<undefined> => undefined;

export const startTestLiveKit = async (): Promise<TestLiveKit> => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-livekit-'));
  const credentials = { apiKey: 'key', apiSecret: randomBytes(32).toString('base64') };
  const faults = createLiveKitFaults();
  const recipient: Pick<TestLiveKit, 'deliver'> = { deliver: nobody };
  const relay = await startWebhookRelay(credentials, (event) => recipient.deliver(event));
  const liveKit = await startLiveKit({
    dataDir: directory,
    ...credentials,
    faults,
    webhookUrl: relay.url,
    platformUrl: 'http://127.0.0.1:9',
    internalKey: 'k',
    agentName: 'none',
  });
  return Object.assign(recipient, {
    ...{ url: liveKit.url, wsUrl: liveKit.wsUrl, faults, ...credentials },
    stop: async () => {
      await liveKit.stop();
      await relay.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  });
};
