// Agents that have calls.
import { Client } from './requests.js';

/** Resolves with the ids. */
export const createAgents = async (api: string, apiKey: string, count: number): Promise<string[]> => {
  const client = new Client(api, 1);
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const body = JSON.stringify({ name: `Bench ${number}`, isActive: true, templateId: null });
    const answer = await client.send('/agents', { method: 'POST', headers: { 'x-api-key': apiKey }, body });
    ids.push(JSON.parse(answer.body).data.id);
  }
  client.close();
  return ids;
};
