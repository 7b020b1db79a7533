import { z } from 'zod';
import { ErasureState, PersonErasureStep } from '../values/person.js';
import { phoneNumber, text, uuid } from '../values/text.js';
import { operation } from './operation.js';
import { hidden, org } from './parts.js';

const common = {
  section: 'Extensions',
  service: 'gateway',
  extension: true,
  auth: org('people:delete'),
  mcp: hidden('an erasure cannot be undone, and is for people and programs of the organization'),
} as const;

export const peopleOperations = {
  peopleDelete: operation({
    ...common,
    id: 'people.delete',
    method: 'DELETE',
    path: '/people/{phoneNumber}',
    bucket: 'write',
    summary: 'Erase a person',
    description:
      'Erases every call with this telephone number with its transcript and recording, its outbound calls, and its rows in campaigns. Cannot be undone. The first request erases nothing: it counts what would be erased and returns a `confirmation`, valid for ten minutes for this number and this caller. Repeat the request with it to start the erasure, which then continues in the background. A confirmed request can be repeated safely. Knowledge, tools and widgets store nothing under a telephone number.',
    params: z.strictObject({ phoneNumber }),
    query: z.strictObject({
      confirmation: text(1, 1_000)
        .optional()
        .meta({ description: 'from the response to the same request without it' }),
      doNotCall: z
        .enum(['true', 'false'])
        .optional()
        .meta({ description: 'true also puts the number on the suppression list' }),
    }),
    success: 200,
    data: PersonErasureStep,
    message: 'Erasure of a person',
    errors: ['CONFIRMATION_INVALID', 'INVALID_PHONE_NUMBER'],
  }),
  peopleErasure: operation({
    ...common,
    id: 'people.erasure',
    method: 'GET',
    path: '/people/erasures/{erasureId}',
    bucket: 'read',
    summary: 'Get the state of an erasure',
    description:
      'An erasure is finished when every service has reported that nothing is left. A call in progress is erased once it has ended. Finished erasures can be read for 90 days.',
    params: z.strictObject({
      erasureId: uuid.meta({ description: 'from the response that confirmed the erasure' }),
    }),
    success: 200,
    data: ErasureState,
    message: 'Erasure',
    errors: ['NOT_FOUND'],
  }),
} as const;
