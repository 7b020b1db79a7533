import type { Keyring } from '@parlance/crypto';
import type { ReadSecretsInUse } from '@parlance/service-host';
import { tokensInUse } from '../oauth/tokens.js';
import { secretMentionsOf, usesOf, usesOfLogin } from './authorizations.js';
import { lockConnection } from './connections-repository.js';

/** Reads the secrets of a connection: those of its headers, its key and its login. */
export const secretsOfConnection =
  (keyring: Keyring): ReadSecretsInUse =>
  async (tx, organizationId, id) => {
    // A release before locks the connection for the whole of a save, instead of noting it.
    const connection = await lockConnection(tx, organizationId, id);
    const tokens = await tokensInUse({ db: tx, keyring }, { organizationId, connectionId: connection.id });
    const uses = [
      ...usesOf(connection),
      ...(tokens === undefined ? [] : usesOfLogin(connection, tokens.source)),
    ];
    return { ...secretMentionsOf(connection), uses, name: connection.name };
  };
