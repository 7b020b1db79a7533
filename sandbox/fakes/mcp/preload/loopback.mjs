// Loaded before a server that would listen on every interface and tells no port. The server listens on a free port of
// loopback, and its parent hears the port. The server ends with its parent.
import { Server } from 'node:net';

const { listen } = Server.prototype;

Server.prototype.listen = function listenOnLoopback(_port, ...rest) {
  this.once('listening', () => process.send?.({ port: this.address().port }));
  return listen.call(this, 0, '127.0.0.1', ...rest);
};

process.once('disconnect', () => process.exit(0));
