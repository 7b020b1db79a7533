export { type Erasure, type ErasureKind, erasureKinds } from './entry.js';
export {
  type AppliedErasures,
  applyFromOutside,
  type ErasureApplier,
  Erasures,
  type ErasuresOptions,
} from './erasures.js';
export { type ErasureLog, openErasureLog } from './log.js';
