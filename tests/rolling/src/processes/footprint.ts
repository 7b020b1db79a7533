// The processor time and memory of a process, as the kernel counts them. Undefined on systems without /proc.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Footprint {
  /** On a processor, with its children that have ended. */
  readonly cpuSeconds: number;
  /** The most memory that was resident at once, in MiB, without its children. */
  readonly peakMebibytes: number;
}

const ticksPerSecond = (): number => Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
let ticks: number | undefined;

export const footprintOf = (pid: number): Footprint | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, which may contain anything, is in parentheses; proc(5) counts the fields from before it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const used = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    ticks ??= ticksPerSecond();
    return { cpuSeconds: used / ticks, peakMebibytes: Number(peak ?? 0) / 1_024 };
  } catch {
    return undefined;
  }
};
