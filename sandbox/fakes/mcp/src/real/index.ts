export {
  type RealServer,
  type RealServerName,
  type RealServers,
  realServerNames,
  startRealServers,
} from './real-servers.js';
