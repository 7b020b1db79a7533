// The operations that can fail on demand.
import { FaultSwitches } from '@parlance/fake-kit';

/** The faults of a webhook on its way. */
export const webhookModes = ['duplicate', 'reorder', 'drop', 'late', 'forged'] as const;
export type LiveKitFaults = FaultSwitches<(typeof webhookModes)[number]>;

/**
 * `rooms`: RoomService. `sip`: dialling and transferring. `sipService`: with any mode but `ok` no SIP service runs.
 * `trunks`: trunks and dispatch rules. `dispatch`: AgentDispatchService. `webhooks`: the server's webhooks.
 */
export const createLiveKitFaults = (): LiveKitFaults =>
  new FaultSwitches(['rooms', 'sip', 'sipService', 'trunks', 'dispatch'], { webhooks: webhookModes });
