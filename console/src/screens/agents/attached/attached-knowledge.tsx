import type { Agent, KnowledgeSource } from '@parlance/client';
import { ButtonLink } from '../../../components/button.js';
import { EmptyState } from '../../../components/card.js';
import { type Column, DataTable } from '../../../components/data-table.js';
import { SourceStatus } from '../../../components/source-status.js';
import { useList } from '../../../data/queries.js';
import { agentPageStrings as strings } from '../../../strings/agent.js';

const columns: readonly Column<KnowledgeSource>[] = [
  {
    id: 'name',
    header: strings.source,
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  { id: 'state', header: strings.state, cell: (source) => <SourceStatus source={source} /> },
  { id: 'chunks', header: strings.chunks, numeric: true, cell: ({ chunkCount }) => chunkCount },
];

export const AttachedKnowledge = ({ agent }: { readonly agent: Agent }) => {
  const { rows, error, refresh } = useList('knowledge.list', { query: { agentId: agent.id } });
  const more = (
    <ButtonLink to="/knowledge" search={{ agent: agent.id }}>
      {strings.toKnowledge}
    </ButtonLink>
  );
  return (
    <>
      {rows !== undefined && rows.length > 0 && <div>{more}</div>}
      <DataTable
        caption={strings.knowledgeCaption}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        error={error}
        retry={() => void refresh()}
        empty={<EmptyState title={strings.noKnowledge} text={strings.noKnowledgeText} action={more} />}
      />
    </>
  );
};
