// The audit of dialling, for other programs that disturb a running platform.
export { audit, heardByRoom, unfinished, type Violation } from './audit.js';
export { type Evidence, gatherEvidence } from './evidence/evidence.js';
export { Presence } from './evidence/presence.js';
export { type Tally, tallyOf } from './tally.js';
