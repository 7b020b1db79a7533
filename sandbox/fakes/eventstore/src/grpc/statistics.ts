// Statistics of the server as EventStoreDB names them: those of the disk that its data lie on, and no others.
import { statfs } from 'node:fs/promises';
import monitoring from '@eventstore/db-client/generated/monitoring_pb.js';
import type { EventStoreFault } from '../store/faults.js';
import type { Call } from './call.js';

/** A disk with little room, invented: the real one may have more. */
const nearlyFull = { total: 100_000_000_000, available: 3_000_000_000 };

const diskOf = async (directory: string, { mode }: EventStoreFault) => {
  if (mode === 'nearly-full') return nearlyFull;
  const { bsize, blocks, bavail } = await statfs(directory);
  return { total: bsize * blocks, available: bsize * bavail };
};

/** Monitoring/Stats: sends them every so often, until the client has enough. */
export async function sendStatistics(directory: string, call: Call, fault: EventStoreFault): Promise<void> {
  const request = monitoring.StatsReq.deserializeBinary(await call.request());
  const answer = new monitoring.StatsResp();
  const { total, available } = await diskOf(directory, fault);
  for (const [name, value] of Object.entries({
    availableBytes: available,
    totalBytes: total,
    usage: `${Math.round(((total - available) / total) * 100)}%`,
    usedBytes: total - available,
  }))
    answer.getStatsMap().set(`sys-drive-${directory}-${name}`, String(value));
  const everyMs = Math.max(1_000, Number(request.getRefreshTimePeriodInMs()));
  const send = (): void => void call.send(answer.serializeBinary());
  const timer = setInterval(send, everyMs);
  send();
  await call.until(() => false).finally(() => clearInterval(timer));
}
