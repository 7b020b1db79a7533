// The time in which work waited for a processor, as the kernel counts it. The time tells a busy machine from a fault of the
// platform.
import { readFileSync } from 'node:fs';

/**
 * Milliseconds since the start of the machine in which at least one task waited for a processor. The kernel's pressure stall
 * information has them as "some". Undefined on a system that does not count them.
 */
export const processorWaitMs = (): number | undefined => {
  try {
    const total = /^some .*total=(\d+)$/m.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1];
    return total === undefined ? undefined : Number(total) / 1_000;
  } catch {
    return undefined;
  }
};
