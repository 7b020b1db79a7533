// For tests: this service as a process of its own, which can be killed at any moment.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environmentOf, programOf } from '@parlance/fixtures';

export interface ServiceProcess {
  /** kill -9. */
  kill(): Promise<void>;
}

/** Runs the build of `npm test`. Returns at once: the service works when it answers. */
export const startServiceProcess = (variables: Readonly<Record<string, string>>): ServiceProcess => {
  const child = spawn(process.execPath, [programOf('widgets')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: environmentOf(variables),
  });
  const ended = once(child, 'exit');
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};
