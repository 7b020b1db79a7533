// The plugins of LiveKit that the runtime uses for vendors with a protocol of their own. Apart from the plugins themselves, so that
// the catalog can be compared with the list where they are not installed.

export const recognizerPackages = ['@livekit/agents-plugin-deepgram'] as const;

export const synthesizerPackages = [
  '@livekit/agents-plugin-cartesia',
  '@livekit/agents-plugin-deepgram',
  '@livekit/agents-plugin-elevenlabs',
] as const;
