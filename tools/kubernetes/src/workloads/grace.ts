import { processes, graceSecondsOf as withoutPreStop } from '@parlance/compose';
import type { Workload } from './workload.js';

/** The seconds between the order to leave and the end by force: `preStop` first, and then the time of the process itself. */
export const graceSecondsOf = ({
  name,
  preStopSeconds,
}: Pick<Workload, 'name' | 'preStopSeconds'>): number => {
  const process = processes.find((one) => one.name === name);
  if (process === undefined) throw new Error(`no process is called ${name}`);
  return preStopSeconds + withoutPreStop(process);
};
