// Opens sessions with the servers of connections.
import type { Keyring } from '@parlance/crypto';
import type { Egress } from '@parlance/egress';
import type { Host } from '@parlance/service-host';
import { OrganizationSecrets } from '@parlance/webhooks';
import type { Client } from '../oauth/clients.js';
import type { TokenSource } from '../oauth/discovery.js';
import type { RefreshingParts } from '../oauth/refreshing.js';
import { McpFailure } from '../protocol/failures.js';
import { Session } from '../protocol/session.js';
import { authorizationOf, givenClient, withoutToken } from './authorizations.js';
import type { ConnectionRow } from './connection-record.js';
import { refreshSoon } from './refresh.js';

const challengeTimeoutMs = 8_000;

export interface ConnectorOptions {
  readonly host: Pick<Host, 'db' | 'rpc' | 'callerFor' | 'logger'>;
  readonly keyring: Keyring;
  readonly egress: Egress;
  readonly oauth: RefreshingParts;
}

export class Connector {
  readonly #options: ConnectorOptions;
  readonly #secrets: OrganizationSecrets;

  constructor(options: ConnectorOptions) {
    this.#options = options;
    this.#secrets = new OrganizationSecrets({ ...options.host, keyring: options.keyring });
  }

  open(connection: ConnectionRow, timeoutMs: number): Promise<Session> {
    const { host, keyring, egress, oauth } = this.#options;
    return Session.open({
      egress,
      timeoutMs,
      address: connection,
      authorization: authorizationOf({ secrets: this.#secrets, keyring, oauth }, connection),
      onToolsChanged: () => {
        refreshSoon(host.db, connection.organization_id, connection.id).catch((err: unknown) =>
          host.logger.warn({ err, connectionId: connection.id }, 'a refresh cannot be asked for'),
        );
      },
    });
  }

  /**
   * The challenge of a connection's server for a request without a token; undefined where it makes none. Some servers ask for
   * a token at the first request and some later.
   */
  async challengeOf(connection: ConnectionRow): Promise<string | undefined> {
    const { keyring, egress } = this.#options;
    let challenge: string | undefined;
    const authorization = withoutToken({ secrets: this.#secrets, keyring }, connection, (header) => {
      challenge ??= header;
    });
    try {
      const session = await Session.open({
        egress,
        authorization,
        address: connection,
        timeoutMs: challengeTimeoutMs,
        onToolsChanged: () => undefined,
      });
      await session.listTools(challengeTimeoutMs).finally(() => session.close());
    } catch (error) {
      // A refusal brings the wanted challenge; a server that is away shows when its metadata is read.
      if (!(error instanceof McpFailure)) throw error;
    }
    return challenge;
  }

  /** @throws AppError SECRET_NOT_FOUND, SECRET_ORIGIN_NOT_ALLOWED */
  givenClient(connection: ConnectionRow, source: TokenSource): Promise<Client | undefined> {
    return givenClient({ secrets: this.#secrets }, connection, source);
  }
}
