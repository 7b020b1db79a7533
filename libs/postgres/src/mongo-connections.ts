// Mends the driver's connections. A command larger than the socket's buffer waits until its rest is written, and hears of
// a failure from the socket only. A connection that is given up closes its socket without one. So a server that went silent
// at that moment, or hung up, kept the command, its caller and a place in the pool for ever.
import { Connection } from 'mongodb/lib/cmap/connection.js';

const { cleanup } = Connection.prototype;

/** Gives the connection up as the driver does, and says so to the command that is still being written. */
Connection.prototype.cleanup = function (this: Connection, error: Error): void {
  if (this.closed) return;
  cleanup.call(this, error);
  // The connection itself listens, too, and has nothing left to do.
  this.socket.emit('error', error);
};
