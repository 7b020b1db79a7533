// Calls that a person wants made, as tests of the whole service ask for them, look at them and end them.

import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { type Caller, type CallFacts, contract, type OutboundCall } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import type { DialerWorld } from './dialer-world.js';

export const code = (expected: string) => expect.objectContaining({ code: expected });

/** The news from calls-logs about the end of an answered call. */
export const endOf = (call: OutboundCall, change: Partial<CallFacts> = {}): CallFacts => ({
  callId: call.callId ?? '',
  outboundCallId: call.id,
  status: 'completed',
  outcome: 'answered',
  endedReason: 'user_hangup',
  answeredBy: 'human',
  startedAt: '2026-01-01T00:00:00.000Z',
  answeredAt: '2026-01-01T00:00:05.000Z',
  endedAt: '2026-01-01T00:00:35.000Z',
  durationSeconds: 30,
  costMicros: 4_200,
  ...change,
});

const usual = { fromNumber: '+14155550142', ringingTimeoutSeconds: 10 };
/** Simulated phones that answer. */
const answering = 60;
/** Another number for each call: an organization calls no number twice at a time. */
const numberOf = (call: number): string => `+141555501${String(call % answering).padStart(2, '0')}`;

/** Asks the services of this world, which need not be there yet. */
export const quickCallsOf = (world: () => DialerWorld) => {
  const params = (id: string) => ({ params: { outboundId: id } });
  const get = (id: string, who: Caller) => world().ask(contract.outboundCallsGet, params(id), who);
  return {
    get,
    /** An organization with an agent of its own. */
    organization: (agent: object = {}) => {
      const who = ownerOf();
      const agentId = randomUUID();
      let placed = 0;
      const answers = { agentId, name: 'Ada', isActive: true, configVersion: 3 };
      world().agents.set(agentId, {
        ...answers,
        allowedOverrides: ['firstMessage', 'systemPrompt'],
        maxDurationSeconds: 600,
        language: 'en',
        ...agent,
      });
      return {
        who,
        agentId,
        quick: (change: object = {}, commandId?: string): Promise<OutboundCall> => {
          const phoneNumber = numberOf(placed);
          placed += 1;
          const body = { agentId, phoneNumber, ...usual, ...change };
          return world().ask(contract.outboundCallsQuick, { body }, who, commandId);
        },
      };
    },
    cancel: (id: string, who: Caller) => world().ask(contract.outboundCallsCancel, params(id), who),
    remove: (id: string, who: Caller, commandId?: string) =>
      world().ask(contract.outboundCallsDelete, params(id), who, commandId),
    retry: (id: string, who: Caller, commandId?: string) =>
      world().ask(contract.outboundCallsRetry, params(id), who, commandId),
    until: (id: string, who: Caller, expected: object, timeoutMs = 60_000) =>
      eventually(
        async () => {
          const call = await get(id, who);
          expect(call).toMatchObject(expected);
          return call;
        },
        { timeoutMs },
      ),
    /** The announcements about a call, by the last word of their names. */
    toldAbout: (callId: string | null) =>
      world()
        .told.filter(({ data }) => data.callId === callId)
        .map(({ name }) => name.split('.').at(-1)),
  };
};
