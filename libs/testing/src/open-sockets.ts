// Sockets of a running program that take packets or connections, read from the kernel's tables. Linux only.
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

export const showsSockets = existsSync('/proc/self/net/udp');

export interface OpenSocket {
  readonly protocol: 'tcp' | 'udp';
  readonly isOnLoopback: boolean;
  readonly port: number;
}

const listening = '0A';
/** 127.0.0.0/8, ::1 and IPv4 mapped into IPv6, in the byte order in which the kernel prints words of an address. */
const loopback = /^(?:0{24}01000000|(?:0{16}FFFF0000)?[0-9A-F]{6}7F)$/;

/** File descriptors may be closed while they are listed. */
const targetOf = (file: string): string => {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
};

const tables = [
  ['tcp', 'tcp'],
  ['tcp', 'tcp6'],
  ['udp', 'udp'],
  ['udp', 'udp6'],
] as const;

/** TCP sockets that listen, and all UDP sockets. */
export const openSockets = (pid: number): OpenSocket[] => {
  const targets = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`)));
  return tables.flatMap(([protocol, table]) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => {
        const isOpen = protocol === 'udp' || state === listening;
        return isOpen && targets.has(`socket:[${inode}]`);
      })
      .map(([, local = '']) => {
        const [address = '', port = ''] = local.split(':');
        return { protocol, isOnLoopback: loopback.test(address), port: Number.parseInt(port, 16) };
      }),
  );
};
