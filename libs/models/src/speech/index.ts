export { ModelFailure, type ModelFailureReason } from './failure.js';
export { type SpeechEndpoint, type SpeechOptions, speak, speechRate, transcribe } from './speech.js';
