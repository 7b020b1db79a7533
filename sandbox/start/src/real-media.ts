// Real calls on one machine: LiveKit's server and SIP service, telephones on the wire, and the voice runtime. Nothing of it
// leaves loopback: the outbound trunk of every provider leads to the telephones.
import { fileURLToPath } from 'node:url';
import {
  type Child,
  dyingWithParent,
  type LiveKitProgram,
  type LiveKitServer,
  liveKitVersions,
  programVersion,
  reachable,
  startChild,
  startLiveKitServer,
} from '@parlance/engines';
import type { DataFolder } from './data-folder.js';
import type { RealMediaPrograms } from './real-media-programs.js';
import { type EngineOptions, liveKitVariables, rememberedPort } from './stand-in-parts.js';
import type { TelephonesPlace } from './telephones-place.js';
import { startVoice, type VoiceRuntime } from './voice-runtime-child.js';

export type RealMediaProgram = LiveKitProgram | 'telephones' | 'voice-runtime';

export interface RealMedia {
  readonly variables: Readonly<Record<string, string>>;
  /** One line each, for people: name and version. */
  readonly summary: readonly (readonly [string, string])[];
  /** Kills a program as a crash would; it is started again by itself. */
  crash(program: RealMediaProgram): void;
  stop(): Promise<void>;
}

const startTelephonesChild = async (
  folder: DataFolder,
  place: Omit<TelephonesPlace, 'ledgerFile' | 'dataDir' | 'logFile'>,
): Promise<Child> => {
  const told: TelephonesPlace = {
    ...place,
    dataDir: folder.directory('telephones'),
    logFile: folder.log('sipp'),
    ledgerFile: folder.directory('ledger.jsonl'),
  };
  return startChild({
    name: 'telephones',
    command: dyingWithParent(
      [process.execPath, fileURLToPath(new URL('./telephones-process.js', import.meta.url))],
      'TERM',
    ),
    env: { PARLANCE_TELEPHONES: JSON.stringify(told) },
    logFile: folder.log('telephones'),
    pidFile: folder.directory('telephones.pid'),
    probe: () => reachable(place.controlPort),
    ipc: true,
  });
};

const summaryOf = async (
  { liveKit, sipp }: RealMediaPrograms,
  voice: VoiceRuntime | undefined,
): Promise<RealMedia['summary']> => {
  const [versions, sippVersion] = await Promise.all([liveKitVersions(liveKit), programVersion(sipp, '-v')]);
  const { 'livekit-server': server, 'livekit-sip': sip, 'redis-server': redis } = versions;
  return [
    ['LiveKit', `real, started here: server ${server}, SIP ${sip}, Redis ${redis}`],
    [
      'Telephones',
      `SIPp ${sippVersion}, on loopback; the last digits of a number decide what its phone does`,
    ],
    ['Voice runtime', voice?.summary ?? ''],
  ];
};

interface Started {
  liveKit?: LiveKitServer;
  telephones?: Child;
  voice?: VoiceRuntime;
}

const startAll = async (
  options: EngineOptions,
  programs: RealMediaPrograms,
  started: Started,
): Promise<Readonly<Record<string, string>>> => {
  const { folder, secrets, gatewayUrl } = options;
  const place = {
    port: await rememberedPort(folder, 'livekit'),
    apiKey: secrets.liveKitApiKey,
    apiSecret: secrets.liveKitApiSecret,
  };
  started.liveKit = await startLiveKitServer({
    ...place,
    binaries: programs.liveKit,
    dataDir: folder.directory('livekit-server'),
    log: (program) => folder.log(program),
    webhookUrl: `${gatewayUrl}/hooks/livekit`,
  });
  const port = await rememberedPort(folder, 'telephones');
  const controlPort = await rememberedPort(folder, 'telephones-control');
  const { sipAddress } = started.liveKit;
  const telephones = { port, controlPort, sipAddress, token: secrets.faultControlToken };
  started.telephones = await startTelephonesChild(folder, telephones);
  const variables = liveKitVariables(place);
  started.voice = await startVoice(options, variables);
  const network = `127.0.0.1:${port};transport=udp`;
  return { ...variables, ...started.voice.variables, TWILIO_SIP_HOST: network, TELNYX_SIP_HOST: network };
};

/** Starts everything, or nothing: the programs that have started end again when another one could not. */
export const startRealMedia = async (
  options: EngineOptions,
  programs: RealMediaPrograms,
): Promise<RealMedia> => {
  const started: Started = {};
  const stop = async (): Promise<void> => {
    // Calls end with their rooms: the runtime hears of it last.
    await started.telephones?.stop();
    await started.liveKit?.stop();
    await started.voice?.stop();
  };
  try {
    const variables = await startAll(options, programs, started);
    return {
      variables,
      summary: await summaryOf(programs, started.voice),
      crash: (program) => {
        if (program === 'telephones') started.telephones?.crash();
        else if (program === 'voice-runtime') started.voice?.crash();
        else started.liveKit?.crash(program);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
