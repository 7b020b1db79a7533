// For suites of other workspaces that need the whole platform.
export { type Account, Accounts } from './accounts.js';
export { generous } from './generous.js';
export { type RunningPlatform, runPlatform } from './running-platform.js';
