// The tables of the read model `call-index`. Only its projection writes them, all in one transaction.

/** Emptied and made again together. */
export const indexTables = [
  'call_index',
  'call_rollups',
  'agent_rollups',
  'call_tallies',
  'concurrency_rollups',
  'called_agents',
] as const;
