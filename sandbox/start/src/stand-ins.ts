// Starts the wire-level stand-ins that this run needs, in one child process.
import { type Child, reachable, startChild } from '@parlance/engines';
import { programOf } from './programs.js';
import type { StandIns } from './stand-in-instructions.js';

/** Resolves when every stand-in listens. */
export const startStandIns = (
  standIns: StandIns,
  files: { readonly log: string; readonly pid: string },
): Promise<Child> => {
  const ports = Object.values(standIns.parts).flatMap((part) => (part ? [part.port] : []));
  return startChild({
    name: 'stand-ins',
    command: [process.execPath, programOf('stand-ins-process')],
    env: { PARLANCE_STAND_INS: JSON.stringify(standIns) },
    logFile: files.log,
    pidFile: files.pid,
    ipc: true,
    probe: async () => {
      await Promise.all([...ports, standIns.faultControl.port].map(reachable));
    },
  });
};
