// The voice runtime of a real media server, as a child process: the one of the platform with `--voice`, and otherwise the sandbox's,
// which speaks from a script.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Child, dyingWithParent, startChild } from '@parlance/engines';
import { voiceName, voiceRuntimeProgram } from '@parlance/sandbox-voice-runtime';
import { type SpeechService, speechServiceCommand } from './speech-service.js';
import { type EngineOptions, rememberedPort } from './stand-in-parts.js';

export interface VoiceRuntime {
  /** What it does, for people. */
  readonly summary: string;
  /** Kills the worker as a crash would; it is started again by itself. */
  crash(): void;
  stop(): Promise<void>;
}

type Variables = Readonly<Record<string, string>>;

/** Models are loaded meanwhile. */
const speechStartMs = 180_000;
/** A worker loads native libraries, and registers. */
const workerStartMs = 120_000;

const folderOfRuntime = fileURLToPath(new URL('../../../runtime/voice/', import.meta.url));

const environmentOf = (options: EngineOptions, liveKit: Variables): Variables => ({
  ...liveKit,
  INTERNAL_API_KEY: options.secrets.internalKey,
  VOICE_AGENT_NAME: options.agentName,
  // The media library logs every event of a room otherwise.
  NODE_ENV: 'production',
});

const startScripted = async (options: EngineOptions, liveKit: Variables): Promise<VoiceRuntime> => {
  const child = await startChild({
    name: 'voice-runtime',
    command: dyingWithParent(
      [process.execPath, voiceRuntimeProgram, '--platform-url', options.gatewayUrl],
      'TERM',
    ),
    env: environmentOf(options, liveKit),
    logFile: options.folder.log('voice-runtime'),
    pidFile: options.folder.directory('voice-runtime.pid'),
    ipc: true,
  });
  return {
    summary: `speaks with ${voiceName()} from a script, and writes down the keys that it hears`,
    crash: () => child.crash(),
    stop: () => child.stop(),
  };
};

const startSpeech = async (options: EngineOptions, service: SpeechService): Promise<Child> =>
  startChild({
    name: 'speech',
    command: dyingWithParent([service.command, ...service.args], 'TERM'),
    env: service.env,
    logFile: options.folder.log('speech'),
    pidFile: options.folder.directory('speech.pid'),
    startTimeoutMs: speechStartMs,
    probe: async () => {
      const response = await fetch(service.healthUrl, {
        headers: { authorization: `Bearer ${service.key}` },
      });
      if (!response.ok) throw new Error(`the speech service answers ${response.status}`);
    },
  });

const startWorker = async (
  options: EngineOptions,
  liveKit: Variables,
  speech: SpeechService | undefined,
): Promise<Child> => {
  // The packages of the runtime are its own, so it is not part of the build of the repository.
  await promisify(execFile)(
    process.execPath,
    [join(folderOfRuntime, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.livekit.json'],
    { cwd: folderOfRuntime },
  );
  return startChild({
    name: 'voice-runtime',
    command: dyingWithParent(
      [process.execPath, join(folderOfRuntime, 'dist', 'program', 'livekit', 'main.js')],
      'TERM',
    ),
    env: {
      ...environmentOf(options, liveKit),
      PLATFORM_URL: options.gatewayUrl,
      ...(speech && { SPEECH_URL: speech.baseUrl, SPEECH_KEY: speech.key }),
    },
    logFile: options.folder.log('voice-runtime'),
    pidFile: options.folder.directory('voice-runtime.pid'),
    startTimeoutMs: workerStartMs,
    ipc: true,
  });
};

const startReal = async (options: EngineOptions, liveKit: Variables): Promise<VoiceRuntime> => {
  const service = speechServiceCommand(options.folder.path, {
    port: await rememberedPort(options.folder, 'speech'),
  });
  const speech = 'missing' in service ? undefined : service;
  const starting = [
    startWorker(options, liveKit, speech),
    speech === undefined ? undefined : startSpeech(options, speech),
  ] as const;
  try {
    const [worker, server] = await Promise.all(starting);
    return {
      summary:
        'missing' in service
          ? `answers typed words. ${service.missing}`
          : 'hears and speaks with the local speech service',
      crash: () => worker.crash(),
      stop: async () => {
        await worker.stop();
        await server?.stop();
      },
    };
  } catch (error) {
    for (const settled of await Promise.allSettled(starting))
      if (settled.status === 'fulfilled') await settled.value?.stop();
    throw error;
  }
};

/** @param liveKit address and credentials of the media server */
export const startVoice = async (options: EngineOptions, liveKit: Variables): Promise<VoiceRuntime> => {
  if (!options.voice) return startScripted(options, liveKit);
  if (existsSync(join(folderOfRuntime, 'node_modules', '@livekit', 'agents')))
    return startReal(options, liveKit);
  const scripted = await startScripted(options, liveKit);
  return {
    ...scripted,
    summary: `${scripted.summary}. The voice runtime is not installed: run \`npm run voice:setup\``,
  };
};
