// The tables of the read model `call-index`, all written by its projection in one transaction and by nobody else.

/** Emptied and made again together. */
export const indexTables = [
  'call_index',
  'call_rollups',
  'agent_rollups',
  'call_tallies',
  'concurrency_rollups',
  'called_agents',
] as const;
