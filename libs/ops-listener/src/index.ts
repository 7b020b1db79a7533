export { type Ops, type OpsOptions, openOps } from './open-ops.js';
