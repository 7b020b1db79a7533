// Conversations with the rules, as the sentences of the caller and the answers that they get.
import { expect, it } from '@jest/globals';
import { callFor, type Setup } from './setup.js';

export const order = {
  name: 'order_status',
  description: 'Tells how far an order is.',
  parameters: { type: 'object', properties: { orderId: { type: 'string' } }, required: ['orderId'] },
};
export const documents: Setup = {
  documents: ['A refund takes five days.'],
  knowledge: { mode: 'auto', prompt: null },
};
export const name = {
  id: 'full_name',
  type: 'string',
  description: "The caller's full name",
  required: true,
};
export const phone = {
  id: 'phone',
  type: 'string',
  description: 'Phone number of the caller',
  required: true,
};
export const size = { id: 'party_size', type: 'integer', description: 'Number of people', required: true };
export const table = {
  id: 'table_slot',
  type: 'string',
  description: 'When the table is needed',
  required: true,
};
export const day = { id: 'day', type: 'string', description: 'Day of the visit', required: true };
export const mail = { id: 'email', type: 'string', description: 'Email address', required: true };
export const notes = { id: 'notes', type: 'string', description: 'Anything the restaurant should know' };
export const data = (...data_needed: readonly object[]): Setup => ({
  ...documents,
  mode: 'text',
  config: { data_needed, timezone: 'America/New_York' },
});
export const german = (...data_needed: readonly object[]): Setup => ({
  ...documents,
  mode: 'text',
  config: { data_needed, agent_language: 'de-DE', timezone: 'Europe/Berlin' },
});

/** The same for a person who speaks. */
export const spoken = (...data_needed: readonly object[]): Setup => ({
  ...data(...data_needed),
  mode: 'voice',
});

/** What the caller says, and what the agent answers. */
type Exchange = readonly [string, string | RegExp];

/** Runs each conversation twice: in one process, and with another replica for each sentence. */
export const followsScript = (
  conversations: readonly (readonly [title: string, setup: Setup, exchanges: readonly Exchange[]])[],
): void => {
  it.each(conversations)('%s', async (_, setup, exchanges) => {
    const { say } = callFor(setup);
    for (const [words, answer] of exchanges) {
      const said = await say(words);
      if (typeof answer === 'string') expect(said).toBe(answer);
      else expect(said).toMatch(answer);
    }
  });

  it.each(conversations)(
    '%s, also when another replica answers each sentence',
    async (_, setup, exchanges) => {
      const { conversation, say } = callFor(setup);
      for (const [words, answer] of exchanges) {
        const replica = callFor(setup);
        replica.conversation.resume(conversation.history);
        const said = await replica.say(words);
        expect(await say(words)).toBe(said);
        if (typeof answer === 'string') expect(said).toBe(answer);
      }
    },
  );
};
