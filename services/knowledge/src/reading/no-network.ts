// Loaded before the program that reads documents, and refuses it the network: Node.js 24 has no permission for that. It stops code
// that a parser was made to run. It does not stop native code: a hole in the engine itself needs walls around the process.
import { registerHooks } from 'node:module';
import { Server, Socket } from 'node:net';

/** `_http_client`, `_tls_wrap` and their like are modules as well. */
const network = /^(?:node:)?_?(?:cluster|dgram|dns|http|http2|https|inspector|net|tls)(?:[_/].*)?$/;

const denied = (what: string): Error =>
  Object.assign(new Error(`a process that reads documents has no network: ${what}`), {
    code: 'ERR_ACCESS_DENIED',
  });

const refuse = (what: string) => (): never => {
  throw denied(what);
};

const fix = (target: object, name: string, value: unknown): void => {
  Object.defineProperty(target, name, { value, writable: false, configurable: false });
};

registerHooks({
  resolve: (specifier, context, next) => {
    if (network.test(specifier)) throw denied(specifier);
    return next(specifier, context);
  },
});

const { getBuiltinModule } = process;
fix(process, 'getBuiltinModule', (name: string) => {
  if (network.test(name)) throw denied(name);
  return getBuiltinModule(name);
});

for (const name of ['fetch', 'WebSocket', 'EventSource']) fix(globalThis, name, undefined);

// A socket can be had without its module: standard output is one where it is a pipe.
fix(Socket.prototype, 'connect', refuse('connect'));
fix(Server.prototype, 'listen', refuse('listen'));
