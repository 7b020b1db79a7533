// A call in progress whose voice runtime the test plays: its words come when the test wants them.
import { expect } from '@jest/globals';
import { DataFolder } from '@parlance/start';
import type { ConsoleWorld, Person } from './console-world.js';

export interface PlayedCall {
  readonly id: string;
  /** The agent says this; resolves when the platform has taken it. @param more members of the turn */
  say(text: string, more?: object): Promise<void>;
}

interface Played {
  readonly api: string;
  readonly dataDir: string;
  readonly agentId: string;
  readonly callId: string;
  /** Number of the first event and turn, where another runtime reports some too. */
  readonly from?: number;
}

/** Reports turns of a trial. */
export const playTurns = async ({ api, dataDir, agentId, callId, from = 0 }: Played): Promise<PlayedCall> => {
  const query = new URLSearchParams({ callId, channel: 'preview', direction: 'inbound' });
  const asked = await fetch(`${api}/agents/internal-config/${agentId}?${query}`, {
    headers: { 'x-internal-key': new DataFolder(dataDir).secrets().internalKey },
  });
  const { data } = (await asked.json()) as { data: { runtime: { callToken: string } } }; // as the contract declares it
  let seq = from;
  return {
    id: callId,
    say: async (text, more = {}) => {
      const startMs = seq * 3_000;
      const turn = { seq, role: 'agent', text, startMs, endMs: startMs + 2_000, ...more };
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

/** Opens a trial of the agent, which no browser enters. */
export const playCall = async (world: ConsoleWorld, person: Person, agentId: string): Promise<PlayedCall> => {
  const { callId } = await world.ask<{ callId: string }>(person, `/agents/${agentId}/preview-session`, {});
  const { api, dataDir } = world.platform;
  return playTurns({ api, dataDir, agentId, callId });
};
