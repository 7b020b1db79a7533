// An agent with words that must stay between the platform and its voice runtime, so that they are easily found elsewhere.
import type { Account } from './accounts.js';
import type { RunningPlatform } from './running-platform.js';

/** None of these may reach a participant of a room. */
export const planted = {
  prompt: 'planted-system-prompt',
  defaultOfVariable: 'planted-default',
  variable: 'planted-variable',
} as const;

/** Saves a version of the agent's configuration that has the words in its prompt and its variables. */
export const plantWords = async (
  platform: RunningPlatform,
  { headers }: Account,
  agentId: string,
): Promise<void> => {
  const address = `${platform.api}/agents/${agentId}/config`;
  const read = await fetch(address, { headers });
  const { data } = (await read.json()) as { data: Record<string, unknown> }; // the contract's AgentConfiguration
  const { agentId: _, version, createdAt, updatedAt, extra, ...settings } = data;
  const changed = {
    ...settings,
    systemPrompt: planted.prompt,
    variables: { secret: planted.defaultOfVariable },
  };
  const saved = await fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(changed),
  });
  if (!saved.ok) throw new Error(`no configuration: ${saved.status} ${await saved.text()}`);
};
