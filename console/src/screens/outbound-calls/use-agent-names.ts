// Names of agents by their ids, for records that name an agent by its id alone.
import { useOperation } from '../../data/queries.js';
import { outboundStrings as strings } from '../../strings/outbound-calls.js';

/** The name of an agent; the word for a deleted one, and nothing while the names are on their way. */
export const useAgentNames = (): ((agentId: string) => string) => {
  const { data } = useOperation('agents.list', {});
  const names = new Map((data ?? []).map(({ id, name }) => [id, name]));
  return (agentId) => names.get(agentId) ?? (data === undefined ? '' : strings.unknownAgent);
};

/** The currency of prices of calls; undefined until it is known. */
export const useCurrency = (): string | undefined => useOperation('spend.get', {}).data?.currency;
