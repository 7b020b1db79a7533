// The voice runtime of a real media server, as a child process.
import { type Child, dyingWithParent, startChild } from '@parlance/engines';
import { voiceRuntimeProgram } from '@parlance/sandbox-voice-runtime';
import type { EngineOptions } from './stand-in-parts.js';

/** @param variables address and credentials of the media server */
export const startVoice = (
  options: EngineOptions,
  variables: Readonly<Record<string, string>>,
): Promise<Child> =>
  startChild({
    name: 'voice-runtime',
    command: dyingWithParent(
      [process.execPath, voiceRuntimeProgram, '--platform-url', options.gatewayUrl],
      'TERM',
    ),
    env: {
      ...variables,
      INTERNAL_API_KEY: options.secrets.internalKey,
      VOICE_AGENT_NAME: options.agentName,
      // The media library logs every event of a room otherwise.
      NODE_ENV: 'production',
    },
    logFile: options.folder.log('voice-runtime'),
    pidFile: options.folder.directory('voice-runtime.pid'),
    ipc: true,
  });
