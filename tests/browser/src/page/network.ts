// Cuts a browser's network for a while. All connections of Chromium, those of WebRTC among them, are in one process of its own.
// While that process stands still, nothing leaves and nothing arrives, as behind a cable that was pulled.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Tells tests whether they can: other systems have no /proc to find the process in. */
export const canCutNetwork = process.platform === 'linux';

const networkService = '--utility-sub-type=network.mojom.NetworkService';

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // it has ended meanwhile
  }
};

const parentOf = (pid: string): string | undefined => {
  try {
    return /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
};

const isBelow = (pid: string | undefined, mark: string): boolean =>
  pid !== undefined && pid !== '0' && (commandOf(pid).includes(mark) || isBelow(parentOf(pid), mark));

/** The process of the browser whose command line has the mark. @throws Error on systems without /proc */
const networkProcess = (mark: string): number => {
  const found = readdirSync('/proc').find(
    (pid) => /^\d+$/.test(pid) && commandOf(pid).includes(networkService) && isBelow(pid, mark),
  );
  if (found === undefined) throw new Error('the network process of this browser was not found in /proc');
  return Number(found);
};

const statOf = (pid: number, thread: string): string => {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
  } catch {
    return ''; // it has ended meanwhile
  }
};

/**
 * Each thread stops at its own next turn. On a busy machine a thread may serve a whole request after the signal was
 * sent.
 */
const standsStill = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/task`).every((thread) =>
    // The name of a thread, in parentheses, may hold spaces; the letter behind it is the state (proc_pid_stat(5)).
    /^\d+ \(.*\) [Tt] /s.test(statOf(pid, thread)),
  );

export interface NetworkCut {
  /** Settles when the network is there again. */
  readonly back: Promise<void>;
}

/** Resolves when nothing leaves any more; the network comes back after so many milliseconds. */
export const cutNetwork = async (mark: string, ms: number): Promise<NetworkCut> => {
  const pid = networkProcess(mark);
  const restore = () => process.kill(pid, 'SIGCONT');
  process.kill(pid, 'SIGSTOP');
  try {
    while (!standsStill(pid)) await delay(5);
  } catch (error) {
    restore();
    throw error;
  }
  return {
    back: delay(ms)
      .then(restore)
      .then(() => {}),
  };
};
