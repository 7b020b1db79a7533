// The way of a person through the login of a server. It opens in another tab; this page sees by itself when it is done.
import { useEffect } from 'react';
import { Button, buttonClass } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { ErrorNote } from '../../components/error-note.js';
import { Loading } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { Moment } from '../../components/values.js';
import { useOperation } from '../../data/queries.js';
import { mcpStrings as strings } from '../../strings/mcp-servers.js';
import type { Connection } from './connection-facts.js';

const askEveryMs = 2_000;

export const LoginDialog = ({
  connection,
  onClose,
}: {
  readonly connection: Connection;
  readonly onClose: () => void;
}) => {
  const { id, name } = connection;
  const { data, error, refetch, isFetching } = useOperation('mcp.authorize', {
    params: { mcpConnectionId: id },
  });
  const { data: connections } = useOperation('mcp.connections', {}, { everyMs: askEveryMs });
  const status = connections?.find((one) => one.id === id)?.status;
  useEffect(() => {
    if (status !== 'connected') return;
    toast.done(strings.loginDone);
    onClose();
  }, [status, onClose]);
  return (
    <Dialog open onClose={onClose} title={strings.loginTitle(name)} text={strings.loginText}>
      {error !== null && <ErrorNote error={error} />}
      {data === undefined && error === null && <Loading lines={1} />}
      {data !== undefined && (
        <p role="status" className="text-ink-soft">
          {strings.loginWaiting} {strings.loginEnds} <Moment at={data.expiresAt} exactOnly />.
        </p>
      )}
      <DialogActions>
        <Button busy={isFetching} onClick={() => void refetch()}>
          {strings.loginAgain}
        </Button>
        {data !== undefined && (
          <a href={data.authorizationUrl} target="_blank" rel="noreferrer" className={buttonClass('primary')}>
            {strings.loginOpen}
          </a>
        )}
      </DialogActions>
    </Dialog>
  );
};
