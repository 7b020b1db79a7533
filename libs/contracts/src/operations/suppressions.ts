import { z } from 'zod';
import { Suppression, SuppressionInput } from '../values/suppression.js';
import { cursor, limit, noData, phoneNumberAsWritten, uuid } from '../values/text.js';
import { operation } from './operation.js';
import { hidden, org } from './parts.js';

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
  suppressionsDelete: operation({
    ...common,
    id: 'suppressions.delete',
    method: 'DELETE',
    path: '/suppressions/{suppressionId}',
    auth: org('outboundCalls:delete'),
    bucket: 'write',
    summary: 'Remove a number from the suppression list',
    description: 'Running campaigns can call the number from then on, if it is in their file.',
    params: z.strictObject({ suppressionId: uuid }),
    success: 200,
    data: noData,
    message: 'Number may be called again',
    errors: ['NOT_FOUND'],
  }),
} as const;
