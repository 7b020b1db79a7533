// The webhook that follows from an event of a call.
import type { Recorded } from '@parlance/event-sourcing';
import type { CallEvent } from '../call/call-events.js';

export type WebhookType = 'call.started' | 'call.ended' | 'call.analyzed' | 'call.failed';

/**
 * At most one per event, and each at most once per call. A call starts with the first event of its stream. It ends or
 * fails once, and is analyzed once: by the runtime before the hand-over, or by the platform after it.
 */
export const webhookTypeOf = ({ event, revision }: Recorded<CallEvent>): WebhookType | undefined => {
  switch (event.type) {
    case 'CallDescribed':
      return revision === 0n ? 'call.started' : undefined;
    case 'CallEnded':
      return event.data.status === 'failed' ? 'call.failed' : 'call.ended';
    case 'CallIngested':
      // The platform's own analysis is still to come.
      return event.data.analysisStatus === 'pending' ? undefined : 'call.analyzed';
    case 'CallAnalyzed':
      return 'call.analyzed';
    default:
      return undefined;
  }
};
