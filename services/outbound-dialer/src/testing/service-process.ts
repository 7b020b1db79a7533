// For tests: this service as a process of its own, which can be killed at any moment.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { environmentOf, programOf } from '@parlance/fixtures';

export interface ServiceProcess {
  /** Ends when everything in progress is done. */
  stop(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
}

/**
 * Runs the build of `npm test`, and again when the process ends by itself, as a supervisor does. A service that finds
 * no neighbour at its start gives up. Returns at once: the service works when it is ready.
 */
export const startServiceProcess = (variables: Readonly<Record<string, string>>): ServiceProcess => {
  let isEnding = false;
  let child: ChildProcess;
  let ended: Promise<unknown>;
  const run = (): void => {
    child = spawn(process.execPath, [programOf('outbound-dialer')], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: environmentOf(variables),
    });
    ended = once(child, 'exit').then(() => {
      if (!isEnding) run();
    });
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    isEnding = true;
    child.kill(signal);
    await ended;
  };
  run();
  return { stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
};
