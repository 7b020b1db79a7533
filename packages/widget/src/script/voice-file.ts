// The contents of `voice.js`: LiveKit's client, and the conversation in a room.
import { connectVoice } from '../voice/livekit-voice.js';
import { handOver } from './handing-over.js';

handOver(connectVoice);
