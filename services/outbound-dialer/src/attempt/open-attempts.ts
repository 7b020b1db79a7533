// The lifecycle of attempts and what belongs to it, on one media server and one store.

import type { MediaRooms } from '@parlance/media-rooms';
import type { OutboundCalls } from '../repositories/outbound-call-repository.js';
import { type AskCalls, AttemptEvidence } from './attempt-evidence.js';
import { AttemptLifecycle, type LifecycleOptions } from './attempt-lifecycle.js';
import { AttemptRecovery, type AttemptRecoveryOptions } from './attempt-recovery.js';
import { AttemptSettlement } from './attempt-settlement.js';
import { AttemptSteps } from './attempt-steps.js';
import { RecordedEnds } from './recorded-ends.js';

export interface AttemptsOptions
  extends Pick<LifecycleOptions, 'admission' | 'clock' | 'ids' | 'crash' | 'logger' | 'trunkId'> {
  readonly calls: OutboundCalls;
  readonly rooms: Pick<MediaRooms, 'createRoom' | 'deleteRoom' | 'participant' | 'dial'>;
  readonly askCalls: AskCalls;
  readonly pause?: (ms: number) => Promise<unknown>;
}

export interface Attempts {
  readonly lifecycle: AttemptLifecycle;
  readonly recovery: AttemptRecovery;
  readonly settlement: AttemptSettlement;
}

export const openAttempts = (options: AttemptsOptions): Attempts => {
  const { calls, rooms, askCalls, clock, crash, logger } = options;
  const ends = new RecordedEnds();
  const steps = new AttemptSteps({ ...options, ends });
  const evidence = new AttemptEvidence(rooms, askCalls, logger);
  const settlement = new AttemptSettlement(calls, ends, clock, crash);
  // A room that cannot be deleted closes by itself when it stays empty.
  const closeRoom: AttemptRecoveryOptions['closeRoom'] = async (roomName) => {
    await rooms
      .deleteRoom(roomName)
      .catch((err: unknown) => logger.warn({ roomName, err }, 'room could not be closed'));
  };
  const common = { ...options, steps, evidence, settlement, closeRoom };
  const recovery = new AttemptRecovery(common);
  return { lifecycle: new AttemptLifecycle({ ...common, recovery }), recovery, settlement };
};
