// Child process that holds the wire-level stand-ins. It ends when the platform does, however the platform ends.
import { startEventStore } from '@parlance/sandbox-eventstore';
import { startLiveKit } from '@parlance/sandbox-livekit';
import { startMongo } from '@parlance/sandbox-mongodb';
import { StandIns } from './stand-ins.js';

const parts = StandIns.parse(JSON.parse(process.env.PARLANCE_STAND_INS ?? '{}'));
const running = await Promise.all([
  parts.eventStore && startEventStore(parts.eventStore),
  parts.mongo && startMongo(parts.mongo),
  parts.liveKit && startLiveKit(parts.liveKit),
]);

let stopping = false;
const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  await Promise.all(running.map((part) => part?.stop()));
  process.exit(0);
};
process.on('SIGTERM', () => void stop());
// Ctrl-C reaches the whole process group; the platform decides the order in which things stop.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => void stop());
