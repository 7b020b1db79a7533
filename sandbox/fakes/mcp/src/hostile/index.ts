export { type HostileServer, type HostileServerOptions, startHostileServer } from './hostile-server.js';
export { type HostileMode, hostileModes } from './modes.js';
export { type OddMessage, OddServer } from './odd-server.js';
