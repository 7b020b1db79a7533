// LiveKit's server and SIP service, the voice runtime, and a stand-in of the platform whose numbers lead to agents.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findLiveKit, freePort, startLiveKitServer } from '@parlance/engines';
import { RoomAgentDispatch, RoomConfiguration, SipClient } from 'livekit-server-sdk';
import { type FinishedCall, internalKey, type StandInOptions, startStandIn } from '../setting/platform.js';
import { agentName, missingOfRuntime, recordOf, startRuntime } from '../setting/runtime.js';
import { Telephone } from './telephone.js';

/** What is missing for a call, as a sentence; undefined where nothing is. */
export const missingForTelephones = (): string | undefined =>
  missingOfRuntime() ??
  (findLiveKit() === undefined
    ? 'livekit-server, livekit-sip and redis-server are not all installed (docs/real-engines.md)'
    : undefined);

export type SipStage = Awaited<ReturnType<typeof startSipStage>>;

export interface SipStageOptions extends StandInOptions {
  readonly numbers: Readonly<Record<string, object>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly maxCalls: number;
  /** Aborts: all telephones hang up. */
  readonly signal: AbortSignal;
}

const firstCaller = 12_025_550_100;

export const startSipStage = async ({
  environment,
  maxCalls,
  signal,
  ...platformOptions
}: SipStageOptions) => {
  const binaries = findLiveKit();
  if (binaries === undefined) throw new Error(missingForTelephones());
  const directory = mkdtempSync(join(tmpdir(), 'parlance-sip-'));
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).reverse()) await one().catch(() => undefined);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const platform = await startStandIn(platformOptions);
    stops.push(() => platform.stop());
    const place = { port: await freePort(), apiKey: 'key', apiSecret: 'api-secret'.repeat(4) };
    const url = `http://127.0.0.1:${place.port}`;
    const liveKit = await startLiveKitServer({
      ...place,
      webhookUrl: 'http://127.0.0.1:9',
      dataDir: join(directory, 'livekit'),
      log: (program) => join(directory, `${program}.log`),
      binaries,
    });
    stops.push(() => liveKit.stop());
    const runtime = await startRuntime({
      LIVEKIT_URL: url,
      LIVEKIT_API_KEY: place.apiKey,
      LIVEKIT_API_SECRET: place.apiSecret,
      INTERNAL_API_KEY: internalKey,
      PLATFORM_URL: platform.url,
      VOICE_AGENT_NAME: agentName,
      NODE_ENV: 'production',
      MAX_CALLS: `${maxCalls}`,
      ...environment,
    });
    stops.push(() => runtime.stop());
    const sip = new SipClient(url, place.apiKey, place.apiSecret, { failover: false });
    const trunk = await sip.createSipInboundTrunk('numbers', Object.keys(platformOptions.numbers));
    await sip.createSipDispatchRule(
      // As the platform makes its rules (libs/media-rooms).
      { type: 'callee', roomPrefix: 'in', randomize: true },
      {
        name: 'to the agents',
        trunkIds: [trunk.sipTrunkId],
        roomConfig: new RoomConfiguration({ agents: [new RoomAgentDispatch({ agentName })] }),
      },
    );
    const telephones = new Set<Telephone>();
    const hangUpAll = async (): Promise<void> => {
      await Promise.all([...telephones].map((telephone) => telephone.hangUp()));
    };
    signal.addEventListener('abort', () => void hangUpAll(), { once: true });
    stops.push(hangUpAll);
    let calls = 0;
    /** A telephone of its own number calls; the record is found by it. */
    const call = async (to: string) => {
      calls += 1;
      const from = `+${firstCaller + calls}`;
      const telephone = await Telephone.call({ from, to, sipAddress: liveKit.sipAddress });
      telephones.add(telephone);
      void telephone.over.then(() => telephones.delete(telephone));
      return {
        telephone,
        record: (): Promise<FinishedCall> => recordOf(platform, ({ fromNumber }) => fromNumber === from),
      };
    };
    return { platform, call, runtimePid: runtime.pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
