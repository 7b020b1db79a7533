// Notes at tools-secrets where a connection sends secrets, before it does.
import { type Caller, type RequestOf, serviceRequests } from '@parlance/contracts';
import type { Parts } from '../parts.js';
import { secretMentionsOf } from './authorizations.js';
import type { ConnectionRow } from './connection-record.js';

export type Named = Pick<ConnectionRow, 'id' | 'name' | 'auth' | 'headers'>;
type Uses = NonNullable<RequestOf<typeof serviceRequests.secretsRefer>['body']['uses']>;

/** True for somebody who may decide where a secret is sent. */
export const mayAllow = ({ permissions }: Pick<Caller, 'permissions'>): boolean =>
  permissions.includes('secrets:use');

/** @throws AppError SECRET_NOT_FOUND; SECRET_ORIGIN_NOT_ALLOWED for an origin that is new, unless the caller may allow it */
export const noteUses = async (
  { rpc, callerFor }: Pick<Parts, 'rpc' | 'callerFor'>,
  connection: Named,
  uses: Uses,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<void> => {
  const { ids, names } = secretMentionsOf(connection);
  if (ids.length + names.length === 0) return;
  const user = { id: connection.id, type: 'mcp_connection' as const, name: connection.name };
  await rpc.call(
    serviceRequests.secretsRefer,
    { body: { user, ids, names, uses, mayAllow: mayAllow(caller) } },
    { caller: callerFor(caller.organizationId), requestId },
  );
};
