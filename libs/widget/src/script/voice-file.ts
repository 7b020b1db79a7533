// What `voice.js` is: LiveKit's client and the conversation in a room. It hands itself to the script that loaded it.
import { connectVoice } from '../voice/livekit-voice.js';

document.currentScript?.dispatchEvent(new CustomEvent('voice-ready', { detail: connectVoice }));
