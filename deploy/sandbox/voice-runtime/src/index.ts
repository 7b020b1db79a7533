export { startVoiceRuntime, type VoiceRuntime, type VoiceRuntimeOptions } from './runtime.js';
