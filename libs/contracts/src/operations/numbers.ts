import { z } from 'zod';
import {
  NumberAssignment,
  NumberPurchase,
  NumberSearchQuery,
  NumberSearchResult,
  PhoneNumber,
} from '../values/number.js';
import { NumberPurchaseFacts, NumberReleaseFacts } from '../values/number-facts.js';
import { cursor, limit, noData, uuid } from '../values/text.js';
import { operation } from './operation.js';
import { hidden, org, orgAdmin, resource } from './parts.js';

const common = { section: '4.3', service: 'telephony-numbers' } as const;
const params = z.strictObject({ phId: uuid });
const spendsMoney = hidden('spends or gives up money; an owner or admin does it in person');

export const numberOperations = {
  numbersSearch: operation({
    ...common,
    id: 'numbers.search',
    method: 'GET',
    path: '/numbers/search',
    auth: org('phoneNumber:create'),
    mcp: resource('search_phone_numbers'),
    bucket: 'cost',
    summary: 'Search for phone numbers to buy',
    description:
      'Each result has a price quote that is signed for this organization and expires at `quoteExpiresAt`. Pass the number, provider and quote of one result to `POST /numbers` unchanged.',
    query: NumberSearchQuery,
    // A provider may take ten seconds.
    answerWithinMs: 12_000,
    success: 200,
    data: z.array(NumberSearchResult),
    message: 'Available numbers',
    errors: ['PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE', 'PROVIDER_TIMEOUT', 'PROVIDER_RATE_LIMITED'],
  }),
  numbersList: operation({
    ...common,
    id: 'numbers.list',
    method: 'GET',
    path: '/numbers',
    auth: org('phoneNumber:read'),
    mcp: resource('list_phone_numbers'),
    bucket: 'read',
    summary: 'List phone numbers',
    description: 'Each number has its provider, its price and the agent that answers it.',
    query: z.strictObject({ limit, cursor }),
    success: 200,
    paged: true,
    data: z.array(PhoneNumber),
    message: 'Numbers',
    errors: ['INVALID_CURSOR'],
  }),
  numbersBuy: operation({
    ...common,
    id: 'numbers.buy',
    method: 'POST',
    path: '/numbers',
    auth: orgAdmin('phoneNumber:create', 'billing:manage'),
    mcp: spendsMoney,
    bucket: 'purchase',
    verified: true,
    summary: 'Buy a phone number at its quoted price',
    description:
      'Requires the session of an owner or admin. The number is bought exactly once, even if the request is interrupted or repeated; until the provider has confirmed it, its status is `provisioning`.',
    body: NumberPurchase,
    composed: NumberPurchaseFacts,
    // Two answers of a provider, and a delivery.
    answerWithinMs: 25_000,
    success: 201,
    data: PhoneNumber,
    message: 'Number bought',
    errors: [
      'QUOTE_REQUIRED',
      'QUOTE_INVALID',
      'QUOTE_ALREADY_USED',
      'QUOTE_EXPIRED',
      'NUMBER_UNAVAILABLE',
      'INSUFFICIENT_BALANCE',
      'SPEND_LIMIT_REACHED',
      'PROVIDER_ERROR',
      'PROVIDER_UNAVAILABLE',
      'PROVIDER_TIMEOUT',
      'PROVIDER_RATE_LIMITED',
      'INVALID_PHONE_NUMBER',
    ],
  }),
  numbersAssign: operation({
    ...common,
    id: 'numbers.assign',
    method: 'PATCH',
    path: '/numbers/{phId}',
    auth: orgAdmin('phoneNumber:update', 'billing:manage'),
    mcp: spendsMoney,
    bucket: 'write',
    verified: true,
    summary: 'Assign a phone number to an agent, or unassign it',
    description:
      'Requires the session of an owner or admin. With `agentId` null, calls to the number are not answered.',
    params,
    body: NumberAssignment,
    success: 200,
    data: PhoneNumber,
    message: 'Number updated',
    errors: ['NUMBER_NOT_FOUND', 'AGENT_NOT_FOUND', 'CONFLICT'],
  }),
  numbersRelease: operation({
    ...common,
    id: 'numbers.release',
    method: 'DELETE',
    path: '/numbers/{phId}',
    auth: orgAdmin('phoneNumber:delete', 'billing:manage'),
    mcp: spendsMoney,
    bucket: 'purchase',
    summary: 'Release a phone number',
    description:
      'Requires the session of an owner or admin. The number returns to the provider and may be sold to someone else at once. Cannot be undone.',
    params,
    composed: NumberReleaseFacts,
    // A provider may take ten seconds, the media server and the grace for dials on their way some more.
    answerWithinMs: 18_000,
    success: 200,
    data: noData,
    message: 'Number released',
    errors: [
      'NUMBER_NOT_FOUND',
      'NUMBER_IN_USE',
      'CONFLICT',
      'PROVIDER_ERROR',
      'PROVIDER_UNAVAILABLE',
      'PROVIDER_TIMEOUT',
      'PROVIDER_RATE_LIMITED',
    ],
  }),
} as const;
