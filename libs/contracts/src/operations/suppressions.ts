import { z } from 'zod';
import { callId } from '../values/call.js';
import { Suppression, SuppressionFact, SuppressionInput } from '../values/suppression.js';
import { cursor, limit, noData, phoneNumberAsWritten, text, uuid } from '../values/text.js';
import { operation } from './operation.js';
import { hidden, ofCall, org } from './parts.js';

const common = {
  section: 'Extensions',
  service: 'outbound-dialer',
  extension: true,
  mcp: hidden('an extension of the interface, for people'),
} as const;

export const suppressionOperations = {
  suppressionsList: operation({
    ...common,
    id: 'suppressions.list',
    method: 'GET',
    path: '/suppressions',
    auth: org('outboundCalls:read'),
    bucket: 'read',
    summary: 'List suppressed numbers, newest first',
    description: '`phoneNumber` looks up a single number.',
    query: z.strictObject({
      phoneNumber: phoneNumberAsWritten
        .optional()
        .meta({ description: 'returns only this number, if it is on the list' }),
      limit,
      cursor,
    }),
    success: 200,
    data: z.array(Suppression),
    paged: true,
    message: 'Suppressed numbers',
    errors: ['INVALID_CURSOR', 'INVALID_PHONE_NUMBER'],
  }),
  suppressionsHistory: operation({
    ...common,
    id: 'suppressions.history',
    method: 'GET',
    path: '/suppressions/history',
    auth: org('outboundCalls:read'),
    bucket: 'read',
    summary: 'Get the history of a number on the suppression list',
    description: 'Who added or removed it, when and why; newest first, at most 200. Kept for five years.',
    query: z.strictObject({ phoneNumber: phoneNumberAsWritten }),
    success: 200,
    data: z.array(SuppressionFact),
    message: 'History of the number',
    errors: ['INVALID_PHONE_NUMBER'],
  }),
  suppressionsCreate: operation({
    ...common,
    id: 'suppressions.create',
    method: 'POST',
    path: '/suppressions',
    auth: org('outboundCalls:create'),
    bucket: 'write',
    summary: 'Add numbers to the suppression list',
    description:
      'Takes effect immediately, for running campaigns too. Calls that are already ringing continue.',
    body: SuppressionInput,
    success: 201,
    data: z.array(Suppression),
    message: 'Numbers suppressed',
    errors: ['INVALID_PHONE_NUMBER'],
  }),
  suppressionsAddOfCall: operation({
    ...common,
    id: 'suppressions.addOfCall',
    method: 'POST',
    path: '/runtime/calls/{callId}/do-not-call',
    auth: ofCall,
    mcp: hidden('for the voice runtime that holds the call'),
    bucket: 'internal',
    summary: 'Add the number of the person in this call to the suppression list, because they asked for it',
    description:
      'Authenticated by the call token. The number is on the list when the response arrives, before the call ends. May be repeated. Nothing happens in a call without a telephone and for a withheld number.',
    params: z.strictObject({ callId }),
    body: z.strictObject({}),
    success: 200,
    data: noData,
    message: 'Number will not be called again',
    errors: ['CALL_NOT_FOUND'],
  }),
  suppressionsDelete: operation({
    ...common,
    id: 'suppressions.delete',
    method: 'DELETE',
    path: '/suppressions/{suppressionId}',
    auth: org('outboundCalls:delete'),
    bucket: 'write',
    summary: 'Remove a number from the suppression list',
    description:
      'Running campaigns can call the number from then on, if it is in their file. Only owners and admins can remove a number whose person asked for it in a call, or was erased.',
    params: z.strictObject({ suppressionId: uuid }),
    query: z.strictObject({ reason: text(1, 200).optional().meta({ description: 'kept in the history' }) }),
    success: 200,
    data: noData,
    message: 'Number may be called again',
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
  }),
} as const;
