// Ends the processes that a killed platform may have left running on the same data, before the data is opened again.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** When the kernel started the process; tells a process from a later one with the same id. Undefined: not running. */
const startedAt = (pid: number): string | undefined => {
  try {
    process.kill(pid, 0);
  } catch {
    return undefined;
  }
  const stat = `/proc/${pid}/stat`;
  // Without /proc the id alone has to do.
  if (!existsSync('/proc/self/stat')) return 'running';
  let text: string;
  try {
    text = readFileSync(stat, 'utf8');
  } catch {
    return undefined; // it ended just now
  }
  const fields = text.replace(/^.*\) /s, '').split(' ');
  return fields[0] === 'Z' ? undefined : fields[19];
};

/** Notes that this process works on the data that `file` lies beside. */
export const recordProcess = (file: string, pid: number): void =>
  writeFileSync(file, `${pid} ${startedAt(pid) ?? ''}`);

/** The process that `file` names, if it is still the same one. */
export const recordedProcess = (file: string): number | undefined => {
  if (!existsSync(file)) return undefined;
  const [id = '', since] = readFileSync(file, 'utf8').split(' ');
  const pid = Number(id);
  return Number.isSafeInteger(pid) && pid > 1 && since !== '' && startedAt(pid) === since ? pid : undefined;
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks the process that `file` names to end, then makes it. Resolves when it is gone. */
export const endPreviousRun = async (file: string, signal: NodeJS.Signals): Promise<void> => {
  const deadline = Date.now() + 8_000;
  for (let asked = false; ; asked = true) {
    const pid = recordedProcess(file);
    if (pid === undefined) break;
    if (!asked) process.kill(pid, signal);
    else if (Date.now() > deadline) process.kill(pid, 'SIGKILL');
    await pause(25);
  }
  rmSync(file, { force: true });
};
