// Checks whether the certificates of a cluster's nodes are accepted. The client hides the reason of a refusal while it
// looks for a node. In the end it only tells that it found none.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { parseConnectionString } from './client-internals.js';

const patienceMs = 500;

/** The error of a handshake with the first node that refuses one; undefined where none does, or TLS is not in use. */
export const certificateError = async (connectionString: string): Promise<unknown> => {
  const { hosts, tls, tlsCAFile } = parseConnectionString(connectionString);
  if (tls === false) return undefined;
  const ca = tlsCAFile === undefined ? {} : { ca: await readFile(tlsCAFile) };
  for (const { address: host, port } of hosts) {
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port, ...servername, ...ca, ALPNProtocols: ['h2'] });
    try {
      await once(socket, 'secureConnect', { signal: AbortSignal.timeout(patienceMs) });
    } catch (error) {
      return error;
    } finally {
      socket.destroy();
    }
  }
  return undefined;
};
