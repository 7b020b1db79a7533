// The machine that the doctor runs on, and its Node.
import { tmpdir } from 'node:os';
import { defineCheck, type FindingKind, type Looking } from '../probe/check.js';

const findings = {
  DISK_NEARLY_FULL: {
    severity: 'soon',
    says: 'A disk of this machine is nearly full.',
    advice:
      'Delete files that are not needed, or enlarge the disk. Engines stop, and may lose data, on a full disk.',
  },
  DISK_FULL: {
    severity: 'broken',
    says: 'A disk of this machine is full.',
    advice:
      'Make room now: delete old logs and temporary files first. Start engines again that have stopped.',
  },
  NODE_TOO_OLD: {
    severity: 'broken',
    says: 'Node is older than the supported versions.',
    advice: 'Install Node 24 or newer.',
    link: 'README.md',
  },
  EVENT_LOOP_SLOW: {
    severity: 'soon',
    says: 'The event loop of this process comes late to its timers.',
    advice: 'Give the process a processor of its own. A machine that swaps shows the same.',
    link: 'docs/runbooks/event-loop-blocked.md',
  },
} as const satisfies Readonly<Record<string, FindingKind>>;
type Code = keyof typeof findings;

const fullBelowBytes = 50 * 1024 * 1024;
/** Of a small disk, such as the /tmp of a container with 64 MiB in all. */
const fullBelow = 0.1;
const nearlyFullBelow = 0.05;
const nearlyFullBelowBytes = 2 * 1024 * 1024 * 1024;
const slowMs = 1_000;

const inWords = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;

const lookAtDisks = async ({ found, machine, place }: Looking<Code>): Promise<void> => {
  const paths = [...(place.dataDir === undefined ? [] : [place.dataDir]), tmpdir()];
  for (const path of paths) {
    const disk = await machine.disk(path);
    if (disk === undefined || disk.total === 0) continue;
    const sighting = { subject: path, seen: `${inWords(disk.free)} of ${inWords(disk.total)} are free.` };
    if (disk.free < Math.min(fullBelowBytes, disk.total * fullBelow)) found('DISK_FULL', sighting);
    // A share alone would call a large disk full that has room for years.
    else if (disk.free < disk.total * nearlyFullBelow && disk.free < nearlyFullBelowBytes)
      found('DISK_NEARLY_FULL', sighting);
  }
};

const isNodeSupported = (version: string): boolean => {
  const [major = 0] = version.split('.').map(Number);
  return major >= 24;
};

export const machine = defineCheck<Code>({
  name: 'machine',
  about: 'The disks of this machine have room, Node is supported, and the event loop keeps up.',
  needs: [],
  findings,
  look: async (looking) => {
    const { machine: here, found, note } = looking;
    if (!isNodeSupported(here.nodeVersion))
      found('NODE_TOO_OLD', { subject: 'Node', seen: `This is Node ${here.nodeVersion}.` });
    note(`Node is ${here.nodeVersion}.`);
    await lookAtDisks(looking);
    const lateMs = await here.eventLoopDelayMs();
    if (lateMs > slowMs)
      found('EVENT_LOOP_SLOW', {
        subject: 'this process',
        seen: `A timer came ${Math.round(lateMs)} ms late.`,
      });
  },
});
