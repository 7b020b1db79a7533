// Notes at tools-secrets where a connection sends secrets, before it does.
import { type Caller, type SecretUses, serviceRequests } from '@parlance/contracts';
import type { Host, SecretsOfSave } from '@parlance/service-host';
import { secretMentionsOf } from './authorizations.js';
import type { ConnectionRow } from './connection-record.js';

export type Named = Pick<ConnectionRow, 'id' | 'name' | 'auth' | 'headers'>;

/** True for somebody who may decide where a secret is sent. */
export const mayAllow = ({ permissions }: Pick<Caller, 'permissions'>): boolean =>
  permissions.includes('secrets:use');

/** The secrets of a connection that is about to be saved, or to be sent there. */
export const secretsOf = (
  connection: Named,
  uses: SecretUses,
  caller: Pick<Caller, 'permissions'>,
): SecretsOfSave => ({
  user: { id: connection.id, type: 'mcp_connection', name: connection.name },
  ...secretMentionsOf(connection),
  uses,
  mayAllow: mayAllow(caller),
});

/** @throws AppError SECRET_NOT_FOUND; SECRET_ORIGIN_NOT_ALLOWED for an origin that is new, unless the caller may allow it */
export const noteUses = async (
  { rpc, callerFor }: Pick<Host, 'rpc' | 'callerFor'>,
  connection: Named,
  uses: SecretUses,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<void> => {
  const secrets = secretsOf(connection, uses, caller);
  if (secrets.ids.length + secrets.names.length === 0) return;
  await rpc.call(
    serviceRequests.secretsRefer,
    { body: secrets },
    { caller: callerFor(caller.organizationId), requestId },
  );
};
