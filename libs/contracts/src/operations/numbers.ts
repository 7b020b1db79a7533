import { z } from 'zod';
import {
  NumberAssignment,
  NumberPurchase,
  NumberSearchQuery,
  NumberSearchResult,
  PhoneNumber,
} from '../values/number.js';
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
    summary: 'Search numbers that can be bought, each with a signed price quote',
    description:
      'Each result carries a quote that is signed for this organization and expires at `quoteExpiresAt`. Buying takes the number, the provider and the quote of one result unchanged.',
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
    summary: 'List the numbers of the organization and the agents that answer them',
    description: 'Each number has its provider, its price and the agent that is assigned to it.',
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
    summary: 'Buy a number for its quoted price',
    description:
      'Needs the session of an owner or admin. The number is bought at the provider once, whatever happens to the request; a number that is still being provisioned has that status.',
    body: NumberPurchase,
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
    summary: 'Let an agent answer a number, or no agent',
    description:
      'Needs the session of an owner or admin. `agentId` null leaves the number without an agent: calls to it are not answered.',
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
    summary: 'Give a number back to the provider, for good',
    description:
      'Needs the session of an owner or admin. The provider may give the number to somebody else at once.',
    params,
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
