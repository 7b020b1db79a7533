// The part of the driver's connections that is mended here. Its version is pinned.
declare module 'mongodb/lib/cmap/connection.js' {
  import type { Socket } from 'node:net';

  export class Connection {
    readonly socket: Socket;
    readonly closed: boolean;
    cleanup(error: Error): void;
  }
}
