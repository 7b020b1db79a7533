export { digitsOf, type Telephone, telephoneOf } from './behaviours.js';
export { type HeardVoice, Hearing } from './hearing.js';
export { answerTo, audioOf, readSip, type SipMessage } from './sip-message.js';
export { findTelephones } from './sipp.js';
export { type InboundCall, startTelephones, type Telephones, type TelephonesOptions } from './telephones.js';
export { decodePcmu, encodePcmu, sampleRate, spokenDigits } from './tones.js';
export type { CallFacts } from './wire-call.js';
