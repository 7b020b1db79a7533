// The knowledge of agents: the state of each source, additions, and the passages that a question would find.

import type { KnowledgeSource } from '@parlance/client';
import { getRouteApi } from '@tanstack/react-router';
import { Pencil, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Guarded, useCan } from '../../app/permission.js';
import { reasonOf } from '../../app/permission-rules.js';
import { Button, ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { confirmThat } from '../../components/confirm.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { FilterBar, SelectFilter } from '../../components/filters.js';
import { menuIcon, RowMenu } from '../../components/menu.js';
import { isMissing, NoSuchAgent, NotFound } from '../../components/not-found.js';
import { Page } from '../../components/page.js';
import { sending } from '../../components/sending.js';
import { isBeingRead, SourceStatus } from '../../components/source-status.js';
import { toast } from '../../components/toasts.js';
import { Moment } from '../../components/values.js';
import { useCommand } from '../../data/commands.js';
import { useList } from '../../data/queries.js';
import { knowledgeStrings as strings } from '../../strings/knowledge.js';
import { AddKnowledge } from './add-knowledge.js';
import { EditKnowledge } from './edit-knowledge.js';
import { TrySearch } from './try-search.js';

const route = getRouteApi('/app/knowledge');
const back = { to: '/knowledge', label: strings.title };
const readingEveryMs = 2_000;

const columnsFor = (agentName: (id: string) => string): readonly Column<KnowledgeSource>[] => [
  {
    id: 'name',
    header: strings.source,
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ name, url }) => (
      <>
        <span className="font-medium">{name}</span>
        {url !== null && url !== name && <span className="block text-xs text-ink-soft">{url}</span>}
      </>
    ),
  },
  { id: 'agent', header: strings.agent, cell: ({ agentId }) => agentName(agentId) },
  {
    id: 'state',
    header: strings.state,
    sortBy: ({ status }) => status,
    cell: (source) => <SourceStatus source={source} />,
  },
  { id: 'passages', header: strings.passages, numeric: true, cell: ({ chunkCount }) => chunkCount },
  {
    id: 'lastRead',
    header: strings.lastRead,
    sortBy: ({ lastIngestedAt }) => lastIngestedAt,
    cell: ({ lastIngestedAt }) =>
      lastIngestedAt === null ? (
        <span className="text-ink-soft">{strings.never}</span>
      ) : (
        <Moment at={lastIngestedAt} />
      ),
  },
];

const SourceMenu = ({
  source: { id: kbId, name },
  agent,
  onEdit,
}: {
  readonly source: KnowledgeSource;
  readonly agent: string;
  readonly onEdit: () => void;
}) => {
  const refresh = useCommand('knowledge.refresh');
  const remove = useCommand('knowledge.delete', { invalidates: ['knowledge.', 'agents.list'] });
  const mayUpdate = useCan('knowledge.update');
  const mayRefresh = useCan('knowledge.refresh');
  const mayDelete = useCan('knowledge.delete');
  const ask = (): void =>
    confirmThat({
      title: strings.deleteTitle(name),
      text: strings.deleteText(agent),
      action: strings.delete,
      wish: remove.wish({ params: { kbId } }),
      done: () => toast.done(strings.deleted(name)),
    });
  return (
    <RowMenu
      name={name}
      items={[
        {
          label: strings.edit,
          icon: <Pencil aria-hidden className={menuIcon} />,
          onSelect: onEdit,
          reason: reasonOf(mayUpdate),
        },
        {
          label: strings.readAgain,
          icon: <RefreshCw aria-hidden className={menuIcon} />,
          ...sending(refresh.wish({ params: { kbId } }), () => toast.done(strings.readsAgain(name))),
          reason: reasonOf(mayRefresh),
        },
        {
          label: strings.delete,
          icon: <Trash2 aria-hidden className={menuIcon} />,
          danger: true,
          onSelect: ask,
          reason: reasonOf(mayDelete),
        },
      ]}
    />
  );
};

export const KnowledgeScreen = () => {
  const { agent = '', edit } = route.useSearch();
  const navigate = route.useNavigate();
  const { rows: agents } = useList('agents.list', {});
  const [isReading, setReading] = useState(false);
  const { rows, error, refresh } = useList(
    'knowledge.list',
    { query: agent === '' ? {} : { agentId: agent } },
    isReading ? { everyMs: readingEveryMs } : {},
  );
  const edited = rows?.find(({ id }) => id === edit);
  const shown = agent === '' ? {} : { agent };
  const [isAdding, setAdding] = useState(false);
  const reads = rows?.some(isBeingRead) ?? false;
  if (reads !== isReading) setReading(reads);
  const agentName = (id: string): string =>
    agents?.find((one) => one.id === id)?.name ?? strings.unknownAgent;
  const add = (
    <Guarded operation="knowledge.create">
      <Button kind="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setAdding(true)}>
        {strings.add}
      </Button>
    </Guarded>
  );
  if (agent !== '' && isMissing(agents, agent)) return <NoSuchAgent back={back} />;
  if (isMissing(rows, edit))
    return <NotFound title={strings.noSuchSource} text={strings.noSuchSourceText} back={back} />;
  if (agents?.length === 0)
    return (
      <Page title={strings.title} intro={strings.intro}>
        <EmptyState
          title={strings.emptyTitle}
          text={strings.noAgent}
          action={<ButtonLink to="/agents">{strings.toAgents}</ButtonLink>}
        />
      </Page>
    );
  const asked = agent === '' && agents?.length === 1 ? (agents[0]?.id ?? '') : agent;
  return (
    <Page title={strings.title} intro={strings.intro} actions={add}>
      <FilterBar>
        <SelectFilter
          label={strings.agent}
          value={agent}
          choices={(agents ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          allLabel={strings.allAgents}
          onChange={(next) => void navigate({ search: next === '' ? {} : { agent: next }, replace: true })}
        />
      </FilterBar>
      <DataTable
        caption={strings.caption}
        columns={columnsFor(agentName)}
        rows={rows}
        rowId={({ id }) => id}
        rowActions={(source) => (
          <SourceMenu
            source={source}
            agent={agentName(source.agentId)}
            onEdit={() => void navigate({ search: { ...shown, edit: source.id } })}
          />
        )}
        error={error}
        retry={() => void refresh()}
        empty={<EmptyState title={strings.emptyTitle} text={strings.emptyText} action={add} />}
      />
      {rows !== undefined &&
        rows.length > 0 &&
        (asked === '' ? (
          <p className="text-ink-soft">{strings.search.chooseAgent}</p>
        ) : (
          <TrySearch key={asked} agentId={asked} />
        ))}
      {edited !== undefined && (
        <EditKnowledge
          key={edited.id}
          source={edited}
          onClose={() => void navigate({ search: shown, replace: true })}
        />
      )}
      {isAdding && agents !== undefined && (
        <AddKnowledge
          agents={agents}
          agentId={agent === '' ? undefined : agent}
          onClose={() => setAdding(false)}
        />
      )}
    </Page>
  );
};
