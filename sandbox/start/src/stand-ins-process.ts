// Child process that holds the wire-level stand-ins. It ends when the platform does, however the platform ends.
import { createEventStoreFaults, startEventStore } from '@parlance/fake-eventstore';
import { Ledger, type SwitchBoard, startFaultControl } from '@parlance/fake-kit';
import { createLiveKitFaults, startLiveKit } from '@parlance/fake-livekit';
import { startMailroom } from '@parlance/fake-mail';
import { createMongoFaults, startMongo } from '@parlance/fake-mongodb';
import { createS3Faults, startS3 } from '@parlance/fake-s3';
import { createTelnyxFaults, startTelnyx } from '@parlance/fake-telnyx';
import { createTwilioFaults, startTwilio } from '@parlance/fake-twilio';
import { startPractice } from './practice.js';
import { collectWhenQuiet } from './quiet-collection.js';
import { StandIns } from './stand-in-instructions.js';

const {
  parts,
  ledger: ledgerPath,
  faultControl,
} = StandIns.parse(JSON.parse(process.env.PARLANCE_STAND_INS ?? ''));
const ledger = await Ledger.open(ledgerPath);
const faults = {
  eventStore: createEventStoreFaults(),
  mongo: createMongoFaults(),
  s3: createS3Faults(),
  liveKit: createLiveKitFaults(),
  twilio: createTwilioFaults(),
  telnyx: createTelnyxFaults(),
};
const running = await Promise.all([
  parts.eventStore && startEventStore({ ...parts.eventStore, faults: faults.eventStore }),
  parts.mongo && startMongo({ ...parts.mongo, faults: faults.mongo }),
  parts.s3 && startS3({ ...parts.s3, faults: faults.s3 }),
  parts.liveKit && startLiveKit({ ...parts.liveKit, ledger, faults: faults.liveKit }),
  parts.twilio && startTwilio({ ...parts.twilio, ledger, faults: faults.twilio }),
  parts.telnyx && startTelnyx({ ...parts.telnyx, ledger, faults: faults.telnyx }),
  parts.mail && startMailroom(parts.mail),
  startPractice({ ...parts.practice, ledger }),
]);
const switchable = Object.entries<SwitchBoard>(faults).filter(([name]) => name in parts);
const control = await startFaultControl({ ...faultControl, engines: Object.fromEntries(switchable) });
collectWhenQuiet();

let stopping = false;
const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  await Promise.all([...running, control].map((part) => part?.stop()));
  await ledger.close();
  process.exit(0);
};
process.on('SIGTERM', () => void stop());
// Ctrl-C reaches the whole process group; the platform decides the order in which things stop.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => void stop());
