// Starts the wire-level stand-ins that this run needs, in one child process.
import { fileURLToPath } from 'node:url';
import { type Child, reachable, startChild } from '@parlance/sandbox-engines';
import { z } from 'zod';

const place = { dataDir: z.string(), port: z.number() };

/** What the child is told; an absent part is not started. */
export const StandIns = z.object({
  eventStore: z.object(place).optional(),
  mongo: z.object(place).optional(),
  liveKit: z
    .object({
      ...place,
      apiKey: z.string(),
      apiSecret: z.string(),
      webhookUrl: z.string(),
      platformUrl: z.string(),
      internalKey: z.string(),
      agentName: z.string(),
      timeScale: z.number(),
    })
    .optional(),
});
export type StandIns = z.infer<typeof StandIns>;

const allReachable = async (ports: readonly number[]): Promise<void> => {
  await Promise.all(ports.map(reachable));
};

/** Resolves when every stand-in listens; undefined when none is wanted. */
export const startStandIns = (
  parts: StandIns,
  files: { readonly log: string; readonly pid: string },
): Promise<Child> | undefined => {
  const ports = [parts.eventStore, parts.mongo, parts.liveKit].flatMap((part) => (part ? [part.port] : []));
  if (ports.length === 0) return undefined;
  return startChild({
    name: 'stand-ins',
    command: [process.execPath, fileURLToPath(new URL('./stand-ins-process.js', import.meta.url))],
    env: { PARLANCE_STAND_INS: JSON.stringify(parts) },
    logFile: files.log,
    pidFile: files.pid,
    ipc: true,
    probe: () => allReachable(ports),
  });
};
