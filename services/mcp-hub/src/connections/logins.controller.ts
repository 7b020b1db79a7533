// Logins of connections: the address that a person opens, and the answer that the person brings back.
import { Controller } from '@nestjs/common';
import type { Caller, contract, McpAuthorization, Result, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { asOAuthFailure, type OAuthReason } from '../oauth/failures.js';
import { beginLogin, finishLogin, type LoginTarget } from '../oauth/login.js';
import { Parts } from '../parts.js';
import { usesOfLogin } from './authorizations.js';
import type { ConnectionRow } from './connection-record.js';
import { getConnection } from './connections-repository.js';
import { connectAgain, refreshNow } from './refresh.js';
import { noteUses } from './secret-uses.js';

type Contract = typeof contract;
type Finish = (typeof serviceRequests)['mcpFinishLogin'];

const errorOf = (reason: OAuthReason): AppError =>
  reason === 'timeout'
    ? new AppError('MCP_TIMEOUT')
    : new AppError('MCP_SERVER_ERROR', { details: { reason } });

/** The address at which a person authorizes the connection. @throws AppError */
export const authorizationFor = async (
  parts: Parts,
  connection: ConnectionRow,
  by: { readonly caller: Caller; readonly requestId: string },
): Promise<McpAuthorization> => {
  if (connection.auth.type !== 'oauth2') {
    throw new AppError('CONFLICT', { details: { auth: 'is not oauth2' } });
  }
  try {
    const { id: connectionId, organization_id: organizationId, url } = connection;
    const challenge = await parts.challengeOf(connection);
    const givenClient: LoginTarget['givenClient'] = async (source) => {
      const uses = usesOfLogin(connection, source);
      if (uses.length > 0) await noteUses(parts, connection, uses, by);
      return parts.givenClient(connection, source);
    };
    const about = { organizationId, connectionId, url, challenge, givenClient };
    const { authorizationUrl, expiresAt } = await beginLogin(parts.oauth, about, by.caller.actor);
    return { authorizationUrl, expiresAt: expiresAt.toISOString() };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { reason } = asOAuthFailure(error);
    parts.logger.info({ connectionId: connection.id, reason }, 'a login for an MCP connection cannot begin');
    throw errorOf(reason);
  }
};

@Controller()
@Serves()
export class LoginsController {
  constructor(private readonly parts: Parts) {}

  async 'mcp.authorize'({
    params,
    caller,
    requestId,
  }: RpcRequest<Contract['mcpAuthorize']>): Promise<McpAuthorization> {
    const connection = await getConnection(this.parts.db, caller.organizationId, params.mcpConnectionId);
    return authorizationFor(this.parts, connection, { caller, requestId });
  }

  async 'mcp.finishLogin'({ body, caller }: RpcRequest<Finish>): Promise<Result<Finish>> {
    const { organizationId } = caller;
    const { outcome, connectionId } = await finishLogin(this.parts.oauth, caller, body);
    if (connectionId !== null) {
      await connectAgain(this.parts, organizationId, connectionId);
      await refreshNow(this.parts, organizationId, connectionId);
    }
    return { outcome };
  }
}
