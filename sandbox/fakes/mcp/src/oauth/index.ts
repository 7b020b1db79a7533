export {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  startAuthorizationServer,
} from './authorization-server.js';
export { type SignIn, signIn } from './person.js';
export {
  type ProtectedServer,
  type ProtectedServerOptions,
  startProtectedServer,
} from './protected-server.js';
