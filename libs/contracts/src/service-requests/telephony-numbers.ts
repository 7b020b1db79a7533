// The requests that telephony-numbers answers to other services.

import { z } from 'zod';
import { serviceRequest } from '../operations/operation.js';
import { Provider } from '../values/call-status.js';
import { NumberPurchase } from '../values/number.js';
import { BegunPurchase, NumberHold } from '../values/number-facts.js';
import { phoneNumber, uuid } from '../values/text.js';
import { organizationCleared, removal, reopened } from './parts.js';

/** A number of the organization that calls can be made from. */
export const CallerNumber = z.object({
  id: uuid,
  provider: Provider,
  providerNumberId: z.string(),
  isoCountry: z.string(),
});
export type CallerNumber = z.infer<typeof CallerNumber>;

/**
 * The media server's outbound trunk of the number's provider. Null while that provider has none; absent from the answer of an
 * older release.
 */
const trunkId = z.string().min(1).nullable().optional();

/**
 * The time for which a dialer may act on the answer, from before it asked. The release of a number waits as long before
 * it is carried out.
 */
const goodForMs = z.int().min(1);

export const telephonyNumbersRequests = {
  numbersAgentOf: serviceRequest({
    id: 'numbers.agentOf',
    service: 'telephony-numbers',
    askedBy: ['gateway'],
    summary: 'The agent that answers a number that is called right now; it counts the call',
    body: z.object({ phoneNumber }),
    /** @throws NUMBER_NOT_FOUND, AGENT_NOT_FOUND; RATE_LIMITED for a call beyond the pace of its number */
    data: z.object({ organizationId: z.string(), agentId: uuid, phoneNumber }),
  }),
  numbersCloseOrganization: serviceRequest({
    id: 'numbers.closeOrganization',
    service: 'telephony-numbers',
    askedBy: ['gateway'],
    summary: 'Let the organization buy no number any more, and count its numbers',
    body: removal,
    /** Bought, being bought, and being given back. */
    data: z.object({ numbers: z.int() }),
  }),
  numbersReopenOrganization: serviceRequest({
    id: 'numbers.reopenOrganization',
    service: 'telephony-numbers',
    askedBy: ['gateway'],
    summary: 'Take this closure of the organization back, also one that is still on its way',
    body: removal,
    data: reopened,
  }),
  numbersBegin: serviceRequest({
    id: 'numbers.begin',
    service: 'telephony-numbers',
    askedBy: ['gateway'],
    summary: 'Put the purchase of a number on record, so that its month can be reserved before it is ordered',
    body: NumberPurchase,
    /** Null for a command that was begun before, and while a process of 0.2.0 may carry it out. @throws as numbers.buy */
    data: z.object({ begun: BegunPurchase.nullable() }),
    // An answer of a provider.
    answerWithinMs: 12_000,
  }),
  numbersHold: serviceRequest({
    id: 'numbers.hold',
    service: 'telephony-numbers',
    askedBy: ['gateway'],
    summary:
      'Let nobody learn whether this number may be used until its release is decided, for a few seconds at most',
    body: z.object({ numberId: uuid }),
    /** Null for a number that is being released, and while a process of 0.2.0 may be asked about it. @throws as numbers.release */
    data: z.object({ hold: NumberHold.nullable() }),
  }),
  numbersForDialing: serviceRequest({
    id: 'numbers.forDialing',
    service: 'telephony-numbers',
    askedBy: ['outbound-dialer'],
    summary: 'May the organization call from this number, and which countries have its numbers',
    body: z.object({ fromNumber: phoneNumber }),
    data: z.object({
      /** Null: not an active number of the organization. */
      number: CallerNumber.nullable(),
      /**
       * The number is on record here, but not as an active number of the organization. Another organization has it, or
       * it is being bought or given back. The organization must never call from it, regardless of other answers.
       */
      isTaken: z.boolean().optional(),
      /** The countries of all its active numbers, as ISO 3166 codes in order. */
      countries: z.array(z.string()),
      trunkId,
      goodForMs,
    }),
  }),
  numbersOwnedAtProvider: serviceRequest({
    id: 'numbers.ownedAtProvider',
    service: 'telephony-numbers',
    askedBy: ['outbound-dialer'],
    summary: 'May the organization call from a number that is kept at the provider and not here',
    body: z.object({
      provider: Provider,
      sid: z.string().describe("the provider's identifier of the number"),
      fromNumber: phoneNumber,
    }),
    data: z.object({
      /**
       * True only in billing mode "own", where the provider's accounts belong to the tenants. The provider has to have this very
       * number under this identifier. A record here must not say that it is another organization's, or being bought or given back.
       */
      isOwned: z.boolean(),
      /** The countries of all its active numbers on record here, as ISO 3166 codes in order. */
      countries: z.array(z.string()),
      trunkId,
      goodForMs,
    }),
  }),
  numbersOrganizationCleared: serviceRequest({
    ...organizationCleared,
    id: 'numbers.organizationCleared',
    service: 'telephony-numbers',
  }),
} as const;
