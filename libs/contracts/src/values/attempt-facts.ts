// The state of an attempt of the dialer, for a service that may have missed its events.
import { z } from 'zod';
import { CallStatus, EndedReason } from './call-status.js';
import { timestamp } from './text.js';

export const AttemptFacts = z.object({
  callId: z.string(),
  status: CallStatus,
  endedReason: EndedReason.nullable(),
  answeredAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
});
export type AttemptFacts = z.infer<typeof AttemptFacts>;
