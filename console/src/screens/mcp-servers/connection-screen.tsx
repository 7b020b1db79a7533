// One connection: its state, its tools, its agents.

import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { LogIn, RefreshCw, Unplug } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Guarded } from '../../app/permission.js';
import { Answered } from '../../components/answered.js';
import { Button } from '../../components/button.js';
import { Card, Facts } from '../../components/card.js';
import { confirmThat } from '../../components/confirm.js';
import { CopyAsCurl } from '../../components/copy-as-curl.js';
import { NotFound } from '../../components/not-found.js';
import { Page } from '../../components/page.js';
import { sending } from '../../components/sending.js';
import { Notice, StatusBadge } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { CopyableId, Moment } from '../../components/values.js';
import { useCommand } from '../../data/commands.js';
import { useOperation } from '../../data/queries.js';
import { mcpStrings as strings } from '../../strings/mcp-servers.js';
import { AgentsCard } from './agents-card.js';
import { type Connection, signOf } from './connection-facts.js';
import { LoginDialog } from './login-dialog.js';
import { SettingsCard } from './settings-card.js';
import { ToolsTable } from './tools-table.js';

const route = getRouteApi('/app/mcp-servers/$connectionId');
const back = { to: '/mcp-servers', label: strings.title };

const Actions = ({
  connection,
  onLogin,
}: {
  readonly connection: Connection;
  readonly onLogin: () => void;
}) => {
  const navigate = useNavigate();
  const refresh = useCommand('mcp.refresh');
  const disconnect = useCommand('mcp.disconnect');
  const { id, name, auth } = connection;
  const params = { mcpConnectionId: id };
  const read = sending(refresh.wish({ params }), ({ data }) => {
    if (data.status === 'connected') toast.done(strings.refreshed);
  });
  const askToDisconnect = (): void =>
    confirmThat({
      title: strings.disconnectTitle(name),
      text: strings.disconnectText,
      action: strings.disconnect,
      wish: disconnect.wish({ params }),
      done: async () => {
        toast.done(strings.disconnected(name));
        await navigate({ to: '/mcp-servers' });
      },
    });
  return (
    <>
      {auth.type === 'oauth2' && (
        <Guarded operation="mcp.authorize">
          <Button
            kind={connection.status === 'auth_required' ? 'primary' : 'secondary'}
            icon={<LogIn aria-hidden className="size-4" />}
            onClick={onLogin}
          >
            {strings.login}
          </Button>
        </Guarded>
      )}
      <CopyAsCurl operation="mcp.refresh" parts={{ params }} />
      <Guarded operation="mcp.refresh">
        <Button
          busy={refresh.isPending}
          icon={<RefreshCw aria-hidden className="size-4" />}
          onClick={read.onSelect}
        >
          {strings.refresh}
        </Button>
      </Guarded>
      <Guarded operation="mcp.disconnect">
        <Button kind="danger" icon={<Unplug aria-hidden className="size-4" />} onClick={askToDisconnect}>
          {strings.disconnect}
        </Button>
      </Guarded>
    </>
  );
};

const State = ({ connection }: { readonly connection: Connection }) => {
  const { tone, text } = signOf(connection);
  const { lastError, health, serverInfo, lastRefreshedAt, auth, url } = connection;
  return (
    <Card title={strings.facts} actions={<StatusBadge tone={tone}>{text}</StatusBadge>}>
      {(lastError !== null || health.advice !== null) && (
        <div className="mb-4">
          <Notice tone={lastError === null ? 'attention' : 'bad'}>
            {lastError} {health.advice}
          </Notice>
        </div>
      )}
      <Facts
        facts={[
          { name: strings.url, value: <code className="font-mono text-xs">{url}</code> },
          {
            name: strings.connectionId,
            value: <CopyableId id={connection.id} name={strings.connectionId} short />,
          },
          {
            name: strings.server,
            value: serverInfo === null ? '–' : `${serverInfo.name} ${serverInfo.version}`,
          },
          { name: strings.lastRead, value: <Moment at={lastRefreshedAt} /> },
          { name: strings.credentials, value: strings.auths[auth.type] },
          { name: strings.approvalPolicy, value: strings.policies[connection.approvalPolicy] },
        ]}
      />
    </Card>
  );
};

const Warnings = ({ connection }: { readonly connection: Connection }) =>
  connection.warnings.length === 0 ? null : (
    <Card title={strings.warnings}>
      <ul className="flex flex-col gap-2">
        {connection.warnings.map(({ tool, code, field = '', message }) => (
          <li key={`${tool} ${code} ${field} ${message}`}>
            <span className="font-mono font-medium">{tool === '' ? strings.wholeList : tool}</span>{' '}
            <span className="font-mono text-xs">{field}</span> {message}
          </li>
        ))}
      </ul>
    </Card>
  );

export const ConnectionScreen = () => {
  const { connectionId } = route.useParams();
  const query = useOperation('mcp.connections', {});
  const [isLoggingIn, setLoggingIn] = useState(false);
  const closeLogin = useCallback(() => setLoggingIn(false), []);
  const connection = query.data?.find(({ id }) => id === connectionId);
  if (query.data !== undefined && connection === undefined) {
    return <NotFound title={strings.notFound} text={strings.notFoundText} back={back} />;
  }
  return (
    <Page
      title={connection?.name ?? strings.title}
      back={back}
      actions={connection && <Actions connection={connection} onLogin={() => setLoggingIn(true)} />}
    >
      <Answered query={{ ...query, data: connection }}>
        {(shown) => (
          <>
            <State connection={shown} />
            <ToolsTable connection={shown} />
            <Warnings connection={shown} />
            <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
              <AgentsCard connection={shown} />
              <SettingsCard key={shown.updatedAt} connection={shown} />
            </div>
          </>
        )}
      </Answered>
      {isLoggingIn && connection !== undefined && (
        <LoginDialog connection={connection} onClose={closeLogin} />
      )}
    </Page>
  );
};
