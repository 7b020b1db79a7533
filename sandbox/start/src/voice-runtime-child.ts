// What speaks on a real media server, as a child process: the voice runtime, or the scripted agent of tests.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Child, dyingWithParent, startChild } from '@parlance/engines';
import { scriptedAgentProgram } from '@parlance/fake-livekit/scripted-agent';
import { runtimeFolder } from './real-media-programs.js';
import { speechServiceCommand, startSpeechService } from './speech-service.js';
import { type EngineOptions, named, rememberedPort } from './stand-in-parts.js';

type Variables = Readonly<Record<string, string>>;

export interface VoiceRuntime {
  /** Variables with which other processes look at it. */
  readonly variables: Variables;
  /** What it does, for people. */
  readonly summary: string;
  /** Kills the worker as a crash would; it is started again by itself. */
  crash(): void;
  stop(): Promise<void>;
}

/** A worker loads native libraries, and registers. */
const workerStartMs = 120_000;

const startWorker = (options: EngineOptions, program: string, variables: Variables): Promise<Child> =>
  startChild({
    name: 'voice-runtime',
    command: dyingWithParent([process.execPath, program], 'TERM'),
    env: {
      ...variables,
      INTERNAL_API_KEY: options.secrets.internalKey,
      PLATFORM_URL: options.gatewayUrl,
      SPEECH_CACHE_DIR: options.folder.directory('voice-phrases'),
      VOICE_AGENT_NAME: options.agentName,
      // The media library logs every event of a room otherwise.
      NODE_ENV: 'production',
    },
    logFile: options.folder.log('voice-runtime'),
    pidFile: options.folder.directory('voice-runtime.pid'),
    startTimeoutMs: workerStartMs,
    ipc: true,
  });

const startScripted = async (options: EngineOptions, liveKit: Variables): Promise<VoiceRuntime> => {
  const child = await startWorker(options, scriptedAgentProgram, liveKit);
  return {
    variables: {},
    summary: 'none: a scripted agent murmurs, and writes down the keys that it hears',
    crash: () => child.crash(),
    stop: () => child.stop(),
  };
};

interface Speech {
  readonly variables: Variables;
  readonly summary: string;
  stop?(): Promise<void>;
}

/** Ears and mouth: a server that the environment names, the local service, or none. */
const startSpeech = async (options: EngineOptions): Promise<Speech> => {
  const url = named(options, 'SPEECH_URL');
  if (url !== undefined)
    return { variables: {}, summary: `hears and speaks with ${url}, from the environment` };
  const { folder } = options;
  const without = (missing: string): Speech => ({
    variables: {},
    summary: `answers typed words. ${missing}`,
  });
  const service = speechServiceCommand(folder.path, { port: await rememberedPort(folder, 'speech') });
  if ('missing' in service) return without(service.missing);
  const files = { log: folder.log('speech'), pid: folder.directory('speech.pid') };
  const started = await startSpeechService(service, files);
  if ('missing' in started) return without(started.missing);
  return {
    variables: { SPEECH_URL: service.baseUrl, SPEECH_KEY: service.key },
    summary: 'hears and speaks with the local speech service',
    stop: () => started.stop(),
  };
};

/** The packages of the runtime are its own, so it is not part of the build of the repository. */
const build = () =>
  promisify(execFile)(
    process.execPath,
    [join(runtimeFolder, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.livekit.json'],
    { cwd: runtimeFolder },
  );

/** @param liveKit address and credentials of the media server */
export const startVoice = async (options: EngineOptions, liveKit: Variables): Promise<VoiceRuntime> => {
  if (options.scriptedAgent) return startScripted(options, liveKit);
  const [speech] = await Promise.all([startSpeech(options), build()]);
  const program = join(runtimeFolder, 'dist', 'program', 'livekit', 'main.js');
  const OPS_PORT = String(await rememberedPort(options.folder, 'voice-runtime-ops'));
  try {
    const worker = await startWorker(options, program, {
      ...liveKit,
      ...speech.variables,
      OPS_PORT,
    });
    return {
      variables: { ...speech.variables, VOICE_RUNTIME_OPS_URL: `http://127.0.0.1:${OPS_PORT}` },
      summary: speech.summary,
      crash: () => worker.crash(),
      stop: async () => {
        await worker.stop();
        await speech.stop?.();
      },
    };
  } catch (error) {
    await speech.stop?.();
    throw error;
  }
};
