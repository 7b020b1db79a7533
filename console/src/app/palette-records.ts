// The records that the palette finds. Each kind costs one request at most: a list is filtered here, and calls are searched by the platform.
import { useEffect, useState } from 'react';
import { partyOf } from '../components/party.js';
import { useOperation } from '../data/queries.js';
import { isSearchable } from '../data/searchable.js';
import type { OperationId } from '../data/types.js';
import { appStrings as strings } from '../strings/app.js';
import { type FoundRecord, matching, mostOfKind } from './palette-matching.js';
import { useCan } from './permission.js';

export interface FoundGroup {
  readonly heading: string;
  readonly records: readonly FoundRecord[];
}

const waitMs = 250;
const shortest = 2;

/** The text, once the person has paused. */
const usePaused = (text: string): string => {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), waitMs);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
};

/** Groups of records for the typed text, and whether an answer is still on its way. */
export const useFound = (
  typed: string,
): { readonly groups: readonly FoundGroup[]; readonly isAsking: boolean } => {
  const text = usePaused(typed.trim());
  const isLong = text.length >= shortest;
  const may = (operation: OperationId, also = true) => ({
    // biome-ignore lint/correctness/useHookAtTopLevel: asked for the same operations at every drawing
    enabled: useCan(operation).allowed && isLong && also,
  });
  const calls = useOperation(
    'calls.list',
    { query: { search: text, limit: mostOfKind } },
    may('calls.list', isSearchable(text)),
  );
  const agents = useOperation('agents.list', {}, may('agents.list'));
  const campaigns = useOperation(
    'outboundCalls.listBatches',
    { query: {} },
    may('outboundCalls.listBatches'),
  );
  const numbers = useOperation('numbers.list', {}, may('numbers.list'));
  const knowledge = useOperation('knowledge.list', { query: {} }, may('knowledge.list'));
  const tools = useOperation('tools.list', {}, may('tools.list'));
  if (!isLong) return { groups: [], isAsking: false };
  const asked = [calls, agents, campaigns, numbers, knowledge, tools];
  const kinds: readonly FoundGroup[] = [
    {
      heading: strings.found.agents,
      records: matching(
        (agents.data ?? []).map(({ id, name }) => ({ id, label: name, to: `/agents/${id}` })),
        text,
      ),
    },
    {
      heading: strings.found.calls,
      // The platform has searched: a name or an id need not stand in the words of the line.
      records: (isSearchable(text) ? (calls.data ?? []) : []).map((call) => ({
        ...{ id: call.id, label: partyOf(call), remark: call.agentName, to: `/calls/${call.id}` },
      })),
    },
    {
      heading: strings.found.campaigns,
      records: matching(
        (campaigns.data ?? []).map(({ id, name }) => ({ id, label: name, to: `/campaigns/${id}` })),
        text,
      ),
    },
    {
      heading: strings.found.numbers,
      records: matching(
        (numbers.data ?? []).map(({ id, phoneNumber, agentName }) => ({
          ...{ id, label: phoneNumber, remark: agentName ?? undefined },
          ...{ to: '/numbers', search: { find: phoneNumber } },
        })),
        text,
      ),
    },
    {
      heading: strings.found.knowledge,
      records: matching(
        (knowledge.data ?? []).map(({ id, name, url, agentId }) => ({
          ...{ id, label: name, remark: url === name ? undefined : (url ?? undefined) },
          ...{ to: '/knowledge', search: { agent: agentId } },
        })),
        text,
      ),
    },
    {
      heading: strings.found.tools,
      records: matching(
        (tools.data ?? []).map(({ id, name }) => ({ id, label: name, to: `/tools/${id}` })),
        text,
      ),
    },
  ];
  return {
    groups: kinds.filter(({ records }) => records.length > 0),
    isAsking: asked.some(({ isFetching }) => isFetching),
  };
};
