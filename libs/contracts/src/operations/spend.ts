import { z } from 'zod';
import { Spend, WorstCase } from '../values/spend.js';
import { dialableNumber, text, uuid } from '../values/text.js';
import { operation } from './operation.js';
import { hidden, org } from './parts.js';

const day = text(1, 40).optional();

export const spendOperations = {
  spendGet: operation({
    id: 'spend.get',
    section: 'Extensions',
    service: 'outbound-dialer',
    extension: true,
    mcp: hidden('an extension of the interface, for people'),
    method: 'GET',
    path: '/spend',
    auth: org('callLogs:read'),
    bucket: 'read',
    summary: 'Get spending, reservations and limits',
    description:
      'Covers the last 30 days unless `from` and `to` are given: dates such as 2026-11-22, both inclusive, at most 90 days apart.',
    query: z.strictObject({
      from: day.meta({ description: 'first day; defaults to 29 days before `to`' }),
      to: day.meta({ description: 'last day; defaults to today' }),
    }),
    success: 200,
    data: Spend,
    message: 'Spend',
    errors: ['INVALID_RANGE'],
  }),
  spendWorstCase: operation({
    id: 'spend.worstCase',
    section: 'Extensions',
    service: 'outbound-dialer',
    extension: true,
    mcp: hidden('an extension of the interface; the confirmation of a call tells it'),
    method: 'GET',
    path: '/spend/worst-case',
    auth: org('outboundCalls:create'),
    bucket: 'read',
    summary: 'Get the maximum cost of one call by an agent',
    description:
      "The destination's rate for the longest call that the agent allows. Without a number, or if it has no plus, the highest rate of the table is used.",
    query: z.strictObject({ agentId: uuid, phoneNumber: dialableNumber.optional() }),
    success: 200,
    data: WorstCase,
    message: 'Worst case',
    errors: ['AGENT_NOT_FOUND', 'AGENT_INACTIVE', 'AGENT_NOT_CONFIGURED', 'INVALID_PHONE_NUMBER'],
  }),
} as const;
