export { breaksBetween, type Harmless, judge } from './compare.js';
export { differences, type Question, type Shape } from './differences.js';
export type { Definitions, Schema } from './json-schema.js';
export { type KeptRow, type KeptShape, printSnapshot, type Snapshot, takeSnapshot } from './snapshot.js';
