// Free UDP ports of this machine. A program that is told such a port binds it a moment later. Ports that this process
// has given away are not given twice.

import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { freePort } from './ports.js';

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: host, exclusive: true }, () => socket.close(() => resolve(true)));
  });

/** A port of loopback that is free for TCP and for UDP, such as SIP takes. */
export const freePortOfBoth = async (): Promise<number> => {
  for (;;) {
    const port = await freePort();
    if (await isFree(port, '127.0.0.1')) return port;
  }
};

export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** Below the ports that the kernel gives to outgoing connections, so that none of those comes in between. */
const lowest = 20_000;
const highest = 32_000;

/** A row of ports that are all free on every interface, because livekit-sip binds its media ports there. */
export const freeUdpRange = async (size: number): Promise<PortRange> => {
  for (let tries = 0; tries < 200; tries += 1) {
    const from = randomInt(lowest / 2, (highest - size) / 2) * 2;
    const ports = Array.from({ length: size }, (_, index) => from + index);
    const free = await Promise.all(ports.map((port) => isFree(port, '0.0.0.0')));
    if (free.every(Boolean)) return { from, to: from + size - 1 };
  }
  throw new Error(`no ${size} free UDP ports in a row between ${lowest} and ${highest}`);
};
