/** Words of the overview. */
export const overviewStrings = {
  title: 'Overview',
  agents: 'Agents',
  activeAgents: 'Active agents',
} as const;
