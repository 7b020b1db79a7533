// For suites of other workspaces that need the whole platform.
export { type Account, Accounts, type Reachable, withoutLimits } from './accounts.js';
export { generous } from './generous.js';
export { connectMcp } from './mcp-clients.js';
export { startMcpServerWithLogin, startMisbehavingMcpServer } from './mcp-servers.js';
export { type RunningPlatform, runPlatform } from './running-platform.js';
export { type SharedPlatform, sharedPlatform } from './shared-platforms.js';
export { attempt, connectionsOf, type Errand, type Sample } from './steady-load.js';
