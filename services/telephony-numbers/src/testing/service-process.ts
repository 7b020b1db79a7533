// For tests: this service as a process of its own, which dies where it was told to.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environmentOf, programOf } from '@parlance/fixtures';

export interface ServiceProcess {
  readonly isRunning: () => boolean;
  /** The signal that ended it; null when it ended by itself. */
  readonly ended: Promise<NodeJS.Signals | null>;
  /** kill -9. */
  kill(): Promise<void>;
}

/** Runs the build of `npm test`. Returns at once: the service answers when it is ready. */
export const startServiceProcess = (variables: Readonly<Record<string, string>>): ServiceProcess => {
  const child = spawn(process.execPath, [programOf('telephony-numbers')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environmentOf(variables),
  });
  // Node's own types of an event are any.
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  return {
    isRunning: () => child.exitCode === null && child.signalCode === null,
    ended,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};
