// The widgets of one agent.
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, Power, Trash2 } from 'lucide-react';
import { Guarded } from '../../app/permission.js';
import { ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { type Column, DataTable, rowLinkClass } from '../../components/data-table.js';
import { SelectFilter } from '../../components/filters.js';
import { menuIcon, RowMenu } from '../../components/menu.js';
import { isMissing, NoSuchAgent } from '../../components/not-found.js';
import { Page } from '../../components/page.js';
import { StatusBadge } from '../../components/status.js';
import { Moment } from '../../components/values.js';
import { useList } from '../../data/queries.js';
import { numberText } from '../../strings/format.js';
import { widgetStrings as strings } from '../../strings/widgets.js';
import { useWidgetActions } from './widget-actions.js';
import { offersOf, type Widget } from './widget-values.js';

const route = getRouteApi('/app/widgets');
const back = { to: '/widgets', label: strings.title };

const Origins = ({ origins }: { readonly origins: readonly string[] }) => {
  const [first, ...rest] = origins;
  if (first === undefined) return <span className="text-ink-soft">{strings.noOrigins}</span>;
  return <span>{rest.length === 0 ? first : `${first} ${strings.more(rest.length)}`}</span>;
};

const columns: readonly Column<Widget>[] = [
  {
    id: 'name',
    header: strings.name,
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ id, name }) => (
      <Link to="/widgets/$widgetId" params={{ widgetId: id }} className={rowLinkClass}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  {
    id: 'state',
    header: strings.state,
    sortBy: ({ enabled }) => enabled,
    cell: ({ enabled }) => (
      <StatusBadge tone={enabled ? 'good' : 'neutral'}>{enabled ? strings.on : strings.off}</StatusBadge>
    ),
  },
  { id: 'offers', header: strings.offers, cell: ({ modes }) => strings.offerChoices[offersOf(modes)] },
  {
    id: 'origins',
    header: strings.origins,
    cell: ({ allowedOrigins }) => <Origins origins={allowedOrigins} />,
  },
  {
    id: 'sessions',
    header: strings.sessions,
    numeric: true,
    sortBy: ({ stats }) => stats.sessions30d,
    cell: ({ stats }) => numberText(stats.sessions30d),
  },
  {
    id: 'changed',
    header: strings.changed,
    deskOnly: true,
    sortBy: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt }) => <Moment at={updatedAt} />,
  },
];

const NewWidgetLink = ({ agentId }: { readonly agentId: string }) => (
  <Guarded operation="widgets.create">
    <ButtonLink
      to="/widgets/new"
      search={{ agent: agentId }}
      kind="primary"
      icon={<Plus aria-hidden className="size-4" />}
    >
      {strings.create}
    </ButtonLink>
  </Guarded>
);

const WidgetsOf = ({ agentId, agentName }: { readonly agentId: string; readonly agentName: string }) => {
  const { rows, error, refresh } = useList('widgets.listForAgent', { params: { agentId } });
  const { turning, askToDelete, turnReason, deleteReason } = useWidgetActions();
  return (
    <DataTable
      caption={strings.caption(agentName)}
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      rowActions={(widget) => (
        <RowMenu
          name={widget.name}
          items={[
            {
              label: widget.enabled ? strings.switchOff : strings.switchOn,
              icon: <Power aria-hidden className={menuIcon} />,
              ...turning(widget),
              reason: turnReason,
            },
            {
              label: strings.delete,
              icon: <Trash2 aria-hidden className={menuIcon} />,
              danger: true,
              onSelect: () => askToDelete(widget),
              reason: deleteReason,
            },
          ]}
        />
      )}
      error={error}
      retry={() => void refresh()}
      empty={
        <EmptyState
          title={strings.emptyTitle}
          text={strings.emptyText}
          action={<NewWidgetLink agentId={agentId} />}
        />
      }
    />
  );
};

export const WidgetsScreen = () => {
  const { agent: chosen } = route.useSearch();
  const navigate = route.useNavigate();
  const { rows: agents, error, refresh } = useList('agents.list', {});
  const agent = agents?.find(({ id }) => id === chosen) ?? agents?.[0];
  if (isMissing(agents, chosen)) return <NoSuchAgent back={back} />;
  return (
    <Page title={strings.title} intro={strings.intro} actions={agent && <NewWidgetLink agentId={agent.id} />}>
      {agents !== undefined && agents.length > 1 && (
        <SelectFilter
          label={strings.agent}
          value={chosen ?? ''}
          allLabel={strings.firstAgent}
          choices={agents.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(next) => void navigate({ search: next === '' ? {} : { agent: next }, replace: true })}
        />
      )}
      {agent === undefined ? (
        <DataTable
          caption={strings.title}
          columns={columns}
          rows={agents === undefined ? undefined : []}
          rowId={({ id }) => id}
          error={error}
          retry={() => void refresh()}
          empty={
            <EmptyState
              title={strings.noAgentTitle}
              text={strings.noAgentText}
              action={<ButtonLink to="/agents">{strings.toAgents}</ButtonLink>}
            />
          }
        />
      ) : (
        <WidgetsOf key={agent.id} agentId={agent.id} agentName={agent.name} />
      )}
    </Page>
  );
};
