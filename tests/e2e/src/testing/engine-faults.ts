// Takes engines of a running platform away from it for a while: killed and kept down, or alive and silent.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { DataFolder } from '@parlance/start';

export type Engine = 'postgres' | 'nats' | 'stand-ins';

/** Ends the fault; the platform has to notice and recover by itself. */
export type EndFault = () => void | Promise<void>;

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch {
    // it has ended in the meantime
  }
};

/** Much shorter than an engine needs to start, so that no client can talk to it in between. */
const killEveryMs = 10;

/** kill -9, again and again: the platform starts engines that fall over, so one kill is over too soon to be noticed. */
export const keepDown = (dataDir: string, engine: Engine): EndFault => {
  const folder = new DataFolder(dataDir);
  const kill = (): void => {
    const pid = folder.pid(engine);
    if (pid !== undefined) signal(pid, 'SIGKILL');
  };
  kill();
  const timer = setInterval(kill, killEveryMs);
  return () => clearInterval(timer);
};

/** Process id and parent of everything that runs. */
const processes = (): { readonly pid: number; readonly parent: number }[] => {
  if (!existsSync('/proc/self/stat')) {
    const lines = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout.split('\n');
    return lines.map((line) => {
      const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
      return { pid, parent };
    });
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const afterName = readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) /s, '');
        return [{ pid: Number(name), parent: Number(afterName.split(' ')[1]) }];
      } catch {
        return []; // it has ended in the meantime
      }
    });
};

/** Stops the engine's processes where they are: connections stay open, and no answer comes. */
export const freeze = (dataDir: string, engine: Engine): EndFault => {
  const root = new DataFolder(dataDir).pid(engine);
  if (root === undefined) throw new Error(`${engine} does not run`);
  // The parent first: from then on there are no new children.
  signal(root, 'SIGSTOP');
  const children = processes().filter(({ parent }) => parent === root);
  const frozen = [...children.map(({ pid }) => pid), root];
  for (const pid of frozen) signal(pid, 'SIGSTOP');
  return () => {
    for (const pid of frozen) signal(pid, 'SIGCONT');
  };
};
