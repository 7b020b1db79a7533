// Logins of connections, from the address that a person opens to the answer that the person brings back.
import type { Caller, McpAuthorization, McpLoginAnswer } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Host } from '@parlance/service-host';
import { asOAuthFailure, type OAuthReason } from '../oauth/failures.js';
import {
  beginLogin,
  type FinishedLogin,
  finishLogin,
  type LoginTarget,
  type OAuthParts,
} from '../oauth/login.js';
import { usesOfLogin } from './authorizations.js';
import type { ConnectionRow } from './connection-record.js';
import type { Connector } from './connector.js';
import type { Refreshes } from './refresh.js';
import { noteUses } from './secret-uses.js';

const errorOf = (reason: OAuthReason): AppError =>
  reason === 'timeout'
    ? new AppError('MCP_TIMEOUT')
    : new AppError('MCP_SERVER_ERROR', { details: { reason } });

export interface LoginsOptions {
  readonly host: Pick<Host, 'rpc' | 'callerFor' | 'logger'>;
  readonly connector: Connector;
  readonly oauth: OAuthParts;
  readonly refreshes: Refreshes;
}

export class Logins {
  readonly #options: LoginsOptions;

  constructor(options: LoginsOptions) {
    this.#options = options;
  }

  /** The address at which a person authorizes the connection. @throws AppError */
  async begin(
    connection: ConnectionRow,
    by: { readonly caller: Caller; readonly requestId: string },
  ): Promise<McpAuthorization> {
    if (connection.auth.type !== 'oauth2') {
      throw new AppError('CONFLICT', { details: { auth: 'is not oauth2' } });
    }
    const { host, connector, oauth } = this.#options;
    try {
      const { id: connectionId, organization_id: organizationId, url } = connection;
      const challenge = await connector.challengeOf(connection);
      const givenClient: LoginTarget['givenClient'] = async (source) => {
        const uses = usesOfLogin(connection, source);
        if (uses.length > 0) await noteUses(host, connection, uses, by);
        return connector.givenClient(connection, source);
      };
      const about = { organizationId, connectionId, url, challenge, givenClient };
      const { authorizationUrl, expiresAt } = await beginLogin(oauth, about, by.caller.actor);
      return { authorizationUrl, expiresAt: expiresAt.toISOString() };
    } catch (error) {
      if (error instanceof AppError) throw error;
      const { reason } = asOAuthFailure(error);
      host.logger.info({ connectionId: connection.id, reason }, 'a login for an MCP connection cannot begin');
      throw errorOf(reason);
    }
  }

  async finish(caller: Caller, answer: McpLoginAnswer): Promise<FinishedLogin['outcome']> {
    const { oauth, refreshes } = this.#options;
    const { outcome, connectionId } = await finishLogin(oauth, caller, answer);
    if (connectionId !== null) await refreshes.connectAgain(caller.organizationId, connectionId);
    return outcome;
  }
}
