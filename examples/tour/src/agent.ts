// The agent that talks: made from a template, with a first message that greets each person by name.
import type { Client } from '@parlance/client';

export interface TourAgent {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly createdAt: string;
}

export const makeAgent = async (client: Client): Promise<TourAgent> => {
  const name = `Tour guide ${new Date().toISOString().slice(0, 19)}`;
  const { data: agent } = await client.agents.create({
    body: { name, isActive: true, templateId: 'medical' },
  });
  const params = { agentId: agent.id };
  const { data: config } = await client.agents.getConfig({ params });
  // A configuration as it is read has a few members that a save does not take.
  const { agentId: _, version: __, createdAt: ___, updatedAt: ____, extra: _____, ...settings } = config;
  const firstMessage =
    'Hi {{name | there}}, this is the practice of {{doctor | your doctor}}. Does {{appointment | tomorrow}} still suit you?';
  const { data: saved } = await client.agents.saveConfig({ params, body: { ...settings, firstMessage } });
  return { id: agent.id, name, version: saved.version, createdAt: agent.createdAt };
};
