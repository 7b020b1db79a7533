// The most memory that a process held at once, as the kernel counts it.
import { readFileSync, writeFileSync } from 'node:fs';

const status = (pid: number, name: 'VmRSS' | 'VmHWM'): number => {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1] ?? Number.NaN) / 1_024;
};

/** The memory of a process now; from here on its peak is counted anew. */
export const beginPeak = (pid: number): number => {
  // 5 resets the peak: proc(5), /proc/pid/clear_refs.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return status(pid, 'VmRSS');
};

/** The most it held since `beginPeak`, in MiB. */
export const peakOf = (pid: number): number => status(pid, 'VmHWM');
