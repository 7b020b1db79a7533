// For tests: this service as a process of its own, which can be killed at any moment.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environmentOf, programOf } from '@parlance/fixtures';

export interface ServiceProcess {
  /** Ends when everything in progress is done. */
  stop(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
}

/** Runs the build of `npm test`. Resolves at once: the service answers when it is ready. */
export const startServiceProcess = async (
  variables: Readonly<Record<string, string>>,
): Promise<ServiceProcess> => {
  const child = spawn(process.execPath, [programOf('calls-logs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environmentOf(variables),
  });
  const ended = once(child, 'exit');
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  return { stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
};
