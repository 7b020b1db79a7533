// Finds SIPp and runs it: one process for all telephones that are called, one for each telephone that calls.
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, dyingWithParent, freePortOfBoth, onPath, startChild } from '@parlance/engines';
import type { Address } from './sip-message.js';

/** Path of SIPp; undefined where it is not installed. */
export const findTelephones = (): string | undefined => onPath('sipp');

/** One day: SIPp has no screen here, so it shall not redraw one. */
const secondsBetweenScreens = '86400';

const common = (scenarioFile: string, port: number): string[] => [
  ...['-sf', scenarioFile, '-i', '127.0.0.1', '-p', String(port)],
  // The control port (8888 or the next free one) is on every interface unless it has an address of its own.
  ...['-ci', '127.0.0.1'],
  ...['-nostdin', '-aa', '-f', secondsBetweenScreens],
];

/** A datagram to a port of loopback that no program has is refused by the kernel. */
const takesDatagrams = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      socket.close();
      if (error) reject(error);
      else resolve();
    };
    const timer = setTimeout(() => settle(), 100);
    socket.once('error', settle);
    // Empty lines keep a connection alive; SIP asks for no answer to them.
    socket.connect(port, '127.0.0.1', () => socket.send('\r\n\r\n'));
  });

export interface SippPlace {
  readonly sipp: string;
  readonly dataDir: string;
  readonly logFile: string;
}

/** Starts the telephones that are called. */
export const startAnswering = async (
  { sipp, dataDir, logFile }: SippPlace,
  scenario: string,
): Promise<{ readonly child: Child; readonly address: Address }> => {
  const file = join(dataDir, 'telephones.xml');
  writeFileSync(file, scenario);
  const port = await freePortOfBoth();
  const child = await startChild({
    name: 'sipp',
    command: dyingWithParent([sipp, ...common(file, port)], 'KILL'),
    logFile,
    pidFile: join(dataDir, 'sipp.pid'),
    probe: () => takesDatagrams(port),
    stopSignal: 'SIGKILL',
  });
  return { child, address: { host: '127.0.0.1', port } };
};

export interface Calling {
  /** Resolves when the call is over, also when it has failed. */
  readonly over: Promise<void>;
  /** Ends the process; the far end hears nothing any more. */
  kill(): void;
}

/** Lets one telephone call through the carrier. */
export const startCalling = async (
  { sipp, dataDir }: SippPlace,
  call: { readonly callId: string; readonly scenario: string; readonly carrier: Address },
): Promise<Calling> => {
  const file = join(dataDir, `${call.callId}.xml`);
  writeFileSync(file, call.scenario);
  const port = await freePortOfBoth();
  const [program, ...args] = dyingWithParent(
    [
      sipp,
      ...common(file, port),
      ...['-m', '1', '-cid_str', call.callId],
      `${call.carrier.host}:${call.carrier.port}`,
    ],
    'KILL',
  );
  if (program === undefined) throw new Error('there is no command to run');
  const child = spawn(program, args, { stdio: 'ignore' });
  const over = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  return { over, kill: () => child.kill('SIGKILL') };
};
