// Voice for pages with a surface of their own: the microphone, the room and the lines of both sides, without the element.
export type { ChannelEvents, VoiceCall, VoiceChannel } from '../conversation/channel.js';
export { openMicrophone } from '../conversation/microphone.js';
export type { AgentState } from '../conversation/phase.js';
export { failureOf, type Problem } from '../conversation/problems.js';
export { type Line, withLine } from '../conversation/transcript.js';
export { connectVoice } from './livekit-voice.js';
