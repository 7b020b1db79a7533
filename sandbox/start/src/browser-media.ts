// A real media server for browsers alone: LiveKit's own server and the voice runtime. No telephone is called through it.
import { type LiveKitRooms, programVersion, startLiveKitRooms } from '@parlance/engines';
import type { RealMedia } from './real-media.js';
import { type EngineOptions, liveKitVariables, rememberedPort } from './stand-in-parts.js';
import { startVoice } from './voice-runtime-child.js';

/** Starts both, or nothing. */
export const startBrowserMedia = async (options: EngineOptions, server: string): Promise<RealMedia> => {
  const { folder, secrets, gatewayUrl } = options;
  const place = {
    port: await rememberedPort(folder, 'livekit'),
    apiKey: secrets.liveKitApiKey,
    apiSecret: secrets.liveKitApiSecret,
  };
  const variables = liveKitVariables(place);
  const rooms: LiveKitRooms = await startLiveKitRooms({
    ...place,
    server,
    dataDir: folder.directory('livekit-server'),
    log: (program) => folder.log(program),
    webhookUrl: `${gatewayUrl}/hooks/livekit`,
  });
  const voice = await startVoice(options, variables).catch(async (error: unknown) => {
    await rooms.stop();
    throw error;
  });
  return {
    variables: { ...variables, ...voice.variables },
    summary: [
      [
        'LiveKit',
        `real, started here: server ${await programVersion(server)}; browsers talk, no telephone rings`,
      ],
      ['Voice runtime', voice.summary],
    ],
    crash: (program) => {
      if (program === 'voice-runtime') voice.crash();
      else if (program === 'livekit-server') rooms.crash();
      else throw new Error(`${program} is not run by this platform`);
    },
    stop: async () => {
      // Conversations end with their rooms: the runtime hears of it last.
      await rooms.stop();
      await voice.stop();
    },
  };
};
