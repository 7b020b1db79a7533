// The integration events that telephony-numbers publishes.
import { z } from 'zod';
import { Provider } from '../values/call-status.js';
import { NumberStatus } from '../values/number.js';
import { uuid } from '../values/text.js';
import { defineEvent } from './event.js';

export const telephonyNumbersEvents = {
  /** A number was bought, given to an agent or taken from it, or is being given back. */
  numberChanged: defineEvent({
    name: 'telephony-numbers.number.changed',
    version: 1,
    data: z.object({
      numberId: uuid,
      phoneNumber: z.string(),
      provider: Provider,
      isoCountry: z.string(),
      status: NumberStatus,
      agentId: uuid.nullable(),
      /** Grows with every change of the number: of two announcements, the higher one holds. */
      version: z.int(),
    }),
  }),
} as const;
