// A call in progress whose voice runtime the test plays: its words come when the test wants them.
import { expect } from '@jest/globals';
import { DataFolder } from '@parlance/start';
import type { ConsoleWorld, Person } from './console-world.js';

export interface PlayedCall {
  readonly id: string;
  /** The agent says this; resolves when the platform has taken it. */
  say(text: string): Promise<void>;
}

/** Opens a trial of the agent, which no browser enters. */
export const playCall = async (world: ConsoleWorld, person: Person, agentId: string): Promise<PlayedCall> => {
  const { callId } = await world.ask<{ callId: string }>(person, `/agents/${agentId}/preview-session`, {});
  const { api, dataDir } = world.platform;
  const query = new URLSearchParams({ callId, channel: 'preview', direction: 'inbound' });
  const asked = await fetch(`${api}/agents/internal-config/${agentId}?${query}`, {
    headers: { 'x-internal-key': new DataFolder(dataDir).secrets().internalKey },
  });
  const { data } = (await asked.json()) as { data: { runtime: { callToken: string } } }; // as the contract declares it
  let seq = 0;
  return {
    id: callId,
    say: async (text) => {
      const startMs = seq * 3_000;
      const turn = { seq, role: 'agent', text, startMs, endMs: startMs + 2_000 };
      const events = [{ seq, at: new Date().toISOString(), type: 'turn', turn }];
      const told = await fetch(`${api}/runtime/calls/${callId}/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${data.runtime.callToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ events }),
      });
      expect(told.status).toBe(202);
      seq += 1;
    },
  };
};
