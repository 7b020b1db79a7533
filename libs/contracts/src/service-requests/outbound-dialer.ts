// The requests that outbound-dialer answers to other services.

import { z } from 'zod';
import { serviceRequest } from '../operations/operation.js';
import { OperatorLimits } from '../values/agent-facts.js';
import { AttemptFacts } from '../values/attempt-facts.js';
import { callId } from '../values/call.js';
import { BegunPurchase } from '../values/number-facts.js';
import { QuotaUse } from '../values/storage.js';
import { phoneNumber, timestamp, uuid } from '../values/text.js';
import {
  AdmittedUpload,
  agentId,
  beginning,
  callIds,
  erasedPiece,
  organizationCleared,
  person,
  personErasure,
  removal,
  reopened,
  UploadArrival,
} from './parts.js';

export const outboundDialerRequests = {
  outboundCallsStorage: serviceRequest({
    id: 'outboundCalls.storage',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    summary: 'What the organization stores as files of campaigns, and its quota',
    body: z.object({}),
    data: QuotaUse,
  }),
  outboundCallsAdmitUpload: serviceRequest({
    id: 'outboundCalls.admitUpload',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    summary: 'Count the size of an upload that arrives at the gateway, and name the address that takes it',
    body: UploadArrival,
    data: AdmittedUpload,
  }),
  limitsOf: serviceRequest({
    id: 'limits.of',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    formerly: { askedBy: ['agents-config'], upTo: '0.2.0' },
    summary: "The operator's limits for the organization; null is no limit",
    body: z.object({}),
    data: OperatorLimits,
  }),
  placesTake: serviceRequest({
    id: 'places.take',
    service: 'outbound-dialer',
    askedBy: ['widgets'],
    summary:
      'Take a place among the calls of the organization for a call in a browser, and put its worst case aside; asked again for the same call, changes nothing',
    body: z.object({ callId: uuid, seconds: z.int().min(1).max(86_400).describe('maximum duration') }),
    data: z.object({}),
  }),
  placesGiveBack: serviceRequest({
    id: 'places.giveBack',
    service: 'outbound-dialer',
    askedBy: ['widgets'],
    summary: 'Give the place of a call in a browser back; it is never taken afterwards',
    body: z.object({
      callId: uuid,
      /** The time that the room of the call existed; null: there was no room. */
      seconds: z.number().min(0).nullable(),
    }),
    data: z.object({}),
  }),
  spendReserveNumber: serviceRequest({
    id: 'spend.reserveNumber',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    formerly: { askedBy: ['telephony-numbers'], upTo: '0.2.0' },
    summary:
      'Put a month of a number aside before it is bought; asked again for the same number, changes nothing',
    body: BegunPurchase,
    data: z.object({}),
  }),
  outboundCallsAttemptFacts: serviceRequest({
    id: 'outboundCalls.attemptFacts',
    service: 'outbound-dialer',
    askedBy: [],
    formerly: { askedBy: ['calls-logs'], upTo: '0.2.0' },
    summary: 'The states of the attempts behind these calls; unknown ones are left out',
    body: callIds,
    data: z.array(AttemptFacts),
  }),
  outboundCallsEndAttempt: serviceRequest({
    id: 'outboundCalls.endAttempt',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    formerly: { askedBy: ['calls-logs'], upTo: '0.2.0' },
    summary: 'An operator ends a call that is still being dialled',
    body: z.object({ outboundCallId: uuid, callId }),
    data: z.object({
      /** Null when the attempt was answered or over before; the call then ends in that way. */
      cancelledAt: timestamp.nullable(),
    }),
  }),
  outboundCallsOpenCountOfAgent: serviceRequest({
    id: 'outboundCalls.openCountOfAgent',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    formerly: { askedBy: ['agents-config'], upTo: '0.2.0' },
    summary: 'The numbers of outbound calls and campaigns of this agent that have not ended',
    body: agentId,
    data: z.object({ open: z.int() }),
  }),
  outboundCallsCountPerson: serviceRequest({
    id: 'outboundCalls.countPerson',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    summary: 'Count the outbound calls and the recipients of campaigns of the organization with this number',
    body: person,
    data: z.object({ outboundCalls: z.int(), recipients: z.int() }),
  }),
  outboundCallsErasePerson: serviceRequest({
    id: 'outboundCalls.erasePerson',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    summary:
      'Cancel and erase some of the outbound calls and recipients with this number; repeated until nothing is left',
    body: personErasure,
    data: erasedPiece,
  }),
  limitsBegin: serviceRequest({
    id: 'limits.begin',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    summary: 'Set the limits of an organization that is about to be made',
    body: beginning.extend({
      /** False: it begins without money, until the operator gives it some. */
      isFunded: z.boolean(),
    }),
    data: z.object({}),
  }),
  outboundCallsCloseOrganization: serviceRequest({
    id: 'outboundCalls.closeOrganization',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    summary:
      'Let the organization begin no call and no campaign any more, and count those that have not ended',
    body: removal,
    /** A campaign that is being created right now counts, and so does a call. */
    data: z.object({ campaigns: z.int(), outboundCalls: z.int() }),
  }),
  outboundCallsReopenOrganization: serviceRequest({
    id: 'outboundCalls.reopenOrganization',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    summary: 'Take this closure of the organization back, also one that is still on its way',
    body: removal,
    data: reopened,
  }),
  outboundCallsOrganizationCleared: serviceRequest({
    ...organizationCleared,
    id: 'outboundCalls.organizationCleared',
    service: 'outbound-dialer',
  }),
  outboundCallsCampaignFrom: serviceRequest({
    id: 'outboundCalls.campaignFrom',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    formerly: { askedBy: ['telephony-numbers'], upTo: '0.2.0' },
    summary: 'An unfinished campaign of the organization that calls from this number, if there is one',
    body: z.object({ phoneNumber }),
    data: z.object({
      /** The unfinished campaign, also one that is being created right now; null: none. */
      campaignId: uuid.nullable(),
    }),
  }),
} as const;
