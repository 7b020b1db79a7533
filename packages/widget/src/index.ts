// The npm package: importing it defines `<voice-agent-widget>`. Panel, voice and translations come with their first use.
import { define, type VoiceAgentWidget } from './element/voice-agent-widget.js';
import { loadTexts } from './texts/translations.js';

define({
  panel: async () => (await import('./panel/module.js')).panelModule,
  voice: async () => (await import('./voice/livekit-voice.js')).connectVoice,
  texts: (language) => loadTexts(language),
  server: undefined,
});

export type { EndReason } from './conversation/phase.js';
export type { Line } from './conversation/transcript.js';
export type { CallEnd, CallError, CallStart, VoiceAgentEvents } from './element/events.js';
export { VoiceAgentWidget } from './element/voice-agent-widget.js';
export type { Mode } from './wire/shapes.js';

declare global {
  interface HTMLElementTagNameMap {
    'voice-agent-widget': VoiceAgentWidget;
  }
}
