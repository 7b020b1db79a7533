export { type CheckpointsOptions, checkpointsCheck, type Follower } from './checks/checkpoints.js';
export { checks } from './checks/index.js';
export { CannotLook, type DoctorHost, runDoctor } from './command.js';
export { type DiagnoseOptions, diagnose } from './diagnosis/diagnose.js';
export { ownLook } from './own-look.js';
export { doctorPage } from './page.js';
export { checksOfServices, hasPlace, migrationsOf, placeOf } from './places.js';
export {
  type Check,
  defineCheck,
  type FindingKind,
  type Looking,
  type Machine,
  type Place,
  type Severity,
  type Sighting,
} from './probe/check.js';
export { thisMachine } from './probe/machine.js';
export type { Finding, Looked, Report } from './report/report.js';
