/** The parts of an agent's page, in order. */
export const agentTabs = [
  'configuration',
  'versions',
  'try',
  'tools',
  'knowledge',
  'mcp',
  'numbers',
] as const;
export type AgentTab = (typeof agentTabs)[number];

export const isAgentTab = (value: unknown): value is AgentTab => agentTabs.some((tab) => tab === value);
