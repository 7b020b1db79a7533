// Finds the programs of real calls and conversations: LiveKit's own, and the telephones.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findLiveKit, findLiveKitRooms, type LiveKitBinaries } from '@parlance/engines';
import { findTelephones } from '@parlance/telephones';

/** Paths of the programs that real calls need. */
export interface RealMediaPrograms {
  readonly liveKit: LiveKitBinaries;
  readonly sipp: string;
}

/** @throws Error that names the program to install, where one is missing */
export const findRealMedia = (): RealMediaPrograms => {
  const liveKit = findLiveKit();
  const sipp = findTelephones();
  if (liveKit !== undefined && sipp !== undefined) return { liveKit, sipp };
  const missing = [
    ...(liveKit === undefined ? ['all three of livekit-server, livekit-sip and redis-server'] : []),
    ...(sipp === undefined ? ['sipp'] : []),
  ].join(', and ');
  throw new Error(
    `--real-media needs ${missing} on the PATH. docs/real-engines.md says where they come from; without the flag everything is simulated.`,
  );
};

export const runtimeFolder = fileURLToPath(new URL('../../../runtime/voice/', import.meta.url));

/** One sentence where the packages of runtime/voice, which `npm install` at the root leaves out, are not installed. */
export const missingRuntime = (): string | undefined =>
  existsSync(join(runtimeFolder, 'node_modules', '@livekit', 'agents'))
    ? undefined
    : 'The voice runtime is not installed: run `npm run voice:setup`, or `npm ci --prefix runtime/voice` for a runtime without local speech.';

/** Why no browser can talk here, in one sentence; undefined where one can. */
export const missingForBrowserVoice = (): string | undefined =>
  findLiveKitRooms() === undefined ? 'livekit-server is not installed.' : missingRuntime();

/** Path of the media server for browsers. @throws Error that names the program to install, where it is missing */
export const findBrowserMedia = (): string => {
  const server = findLiveKitRooms();
  if (server !== undefined) return server;
  throw new Error(
    '--browser-voice needs livekit-server on the PATH. docs/real-engines.md says where it comes from; without the flag visitors of widgets type.',
  );
};

/** The most real media that this machine has programs for. */
export const installedMedia = (): 'telephones' | 'browsers' | 'simulated' => {
  if (missingRuntime() !== undefined) return 'simulated';
  if (findLiveKit() !== undefined && findTelephones() !== undefined) return 'telephones';
  return findLiveKitRooms() === undefined ? 'simulated' : 'browsers';
};
