/** The tables of the read model `call-index` of calls-logs. */
export const indexTables = [
  'call_index',
  'call_rollups',
  'agent_rollups',
  'call_tallies',
  'concurrency_rollups',
  'called_agents',
];
