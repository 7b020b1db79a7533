// The reconciler finds no room of a conversation in text, because it never had one.
import { describe, expect, it } from '@jest/globals';
import { callDecider } from '../call/call.js';
import type { CallCommand, DescribeCall } from '../call/call-commands.js';
import type { CallState } from '../call/call-state.js';

const now = '2026-03-01T10:00:00.000Z';
const description = {
  ...{ organizationId: 'org', agentId: 'agent', agentName: 'Ada', configVersion: 1, roomName: 'tx_1' },
  ...{ provider: null, providerCallId: null, outboundCallId: null, campaignId: null, widgetId: 'w' },
  startedAt: now,
};
const people = { fromNumber: null, toNumber: null, dynamicVariables: {}, metadata: {} };

const begun = (more: Partial<DescribeCall['description']>): DescribeCall => ({
  ...{ type: 'DescribeCall', now, source: 'runtime', people },
  description: { ...description, channel: 'widget', direction: 'inbound', ...more },
});

const after = (...commands: readonly CallCommand[]): CallState =>
  commands.reduce<CallState>(
    (state, command) => callDecider.decide(command, state).reduce(callDecider.evolve, state),
    callDecider.initialState,
  );

const lost: CallCommand = { type: 'RecordRoomLost', now };

describe('a room that is not there', () => {
  it('closes a call in voice, and no conversation in text', () => {
    expect(after(begun({}), lost).phase).toBe('closing');
    expect(after(begun({ inText: true }), lost).phase).toBe('live');
  });

  it('closes a conversation in text that an operator has ended', () => {
    const wish: CallCommand = {
      type: 'RequestEnd',
      now,
      organizationId: 'org',
      by: 'u',
      dialCancelledAt: null,
    };
    expect(after(begun({ inText: true }), wish, lost).phase).toBe('closing');
  });
});
