// Connected MCP servers, and the catalog of those that can be connected.
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { Guarded } from '../../app/permission.js';
import { Answered } from '../../components/answered.js';
import { ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { type Column, DataTable, rowLinkClass } from '../../components/data-table.js';
import { Page } from '../../components/page.js';
import { StatusBadge } from '../../components/status.js';
import { Moment } from '../../components/values.js';
import { useOperation } from '../../data/queries.js';
import { mcpStrings as strings } from '../../strings/mcp-servers.js';
import { type CatalogEntry, type Connection, signOf } from './connection-facts.js';

const columns: readonly Column<Connection>[] = [
  {
    id: 'name',
    header: strings.name,
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ id, name }) => (
      <Link to="/mcp-servers/$connectionId" params={{ connectionId: id }} className={rowLinkClass}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  {
    id: 'state',
    header: strings.state,
    sortBy: (connection) => signOf(connection).text,
    cell: (connection) => {
      const { tone, text } = signOf(connection);
      return <StatusBadge tone={tone}>{text}</StatusBadge>;
    },
  },
  {
    id: 'tools',
    header: strings.tools,
    cell: ({ tools }) => strings.toolCount(tools.filter(({ offered }) => offered).length, tools.length),
  },
  {
    id: 'agents',
    header: strings.agents,
    numeric: true,
    sortBy: ({ agentIds }) => agentIds.length,
    cell: ({ agentIds }) => agentIds.length,
  },
  {
    id: 'read',
    header: strings.read,
    deskOnly: true,
    sortBy: ({ lastRefreshedAt }) => lastRefreshedAt,
    cell: ({ lastRefreshedAt }) => <Moment at={lastRefreshedAt} />,
  },
];

const Entry = ({ entry }: { readonly entry: CatalogEntry }) => (
  <li className="flex flex-col gap-2 rounded-lg border border-line bg-raised p-4">
    <h3 className="font-semibold">{entry.name}</h3>
    <p className="text-ink-soft">{entry.description}</p>
    <p className="text-xs text-ink-soft">{strings.auths[entry.auth.type]}</p>
    <div className="mt-auto flex flex-wrap items-center justify-between gap-2 pt-1">
      {entry.docsUrl === null ? (
        <span />
      ) : (
        <a href={entry.docsUrl} target="_blank" rel="noreferrer" className="link">
          {strings.docs}
          <span className="sr-only"> {entry.name}</span>
        </a>
      )}
      {entry.connectedId === null ? (
        <Guarded operation="mcp.connect">
          <ButtonLink
            to="/mcp-servers/connect"
            search={{ entry: entry.slug }}
            aria-label={strings.connectNamed(entry.name)}
          >
            {strings.connect}
          </ButtonLink>
        </Guarded>
      ) : (
        <StatusBadge tone="good">{strings.isConnected}</StatusBadge>
      )}
    </div>
  </li>
);

const ConnectOwn = () => (
  <Guarded operation="mcp.connect">
    <ButtonLink to="/mcp-servers/connect" kind="primary" icon={<Plus aria-hidden className="size-4" />}>
      {strings.connectOwn}
    </ButtonLink>
  </Guarded>
);

export const ServersScreen = () => {
  const connections = useOperation('mcp.connections', {});
  const catalog = useOperation('mcp.catalog', {});
  return (
    <Page title={strings.title} intro={strings.intro} actions={<ConnectOwn />}>
      <DataTable
        caption={strings.connectionsCaption}
        columns={columns}
        rows={connections.data}
        rowId={({ id }) => id}
        error={connections.error}
        retry={() => void connections.refetch()}
        empty={<EmptyState title={strings.emptyTitle} text={strings.emptyText} action={<ConnectOwn />} />}
      />
      <section aria-labelledby="catalog" className="flex flex-col gap-3">
        <div>
          <h2 id="catalog" className="font-semibold">
            {strings.catalog}
          </h2>
          <p className="text-ink-soft">{strings.catalogText}</p>
        </div>
        <Answered query={catalog}>
          {(entries) => (
            <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-3">
              {entries.map((entry) => (
                <Entry key={entry.slug} entry={entry} />
              ))}
            </ul>
          )}
        </Answered>
      </section>
    </Page>
  );
};
