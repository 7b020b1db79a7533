// The connections of better-auth. It hides the errors of its queries and hands every connection back as good. So this
// pool notes failures and throws silent connections away. After a failure, the next requests do not wait for the
// database again.
import { AppError } from '@parlance/errors';
import type { Logger } from '@parlance/observability';
import { translateDatabaseError } from '@parlance/postgres';
import pg from 'pg';

const connectTimeoutMs = 2_000;
// The server ends a slow statement itself; this ends the wait for a server that went silent.
const silenceMs = 500;
const pauseMs = 250;

export interface AuthPoolOptions {
  /** Connection string of the gateway's role. */
  readonly url: string;
  readonly max: number;
  readonly statementTimeoutMs: number;
  readonly logger: Logger;
}

interface Outage {
  /** The time of the last seen failure of the database. */
  readonly seenAt: number;
  /** The last time at which a request was told of the outage. */
  toldAt: number;
  readonly error: AppError;
}

export class AuthPool {
  readonly #pool: pg.Pool;
  #outage: Outage | undefined;

  constructor({ url, max, statementTimeoutMs, logger }: AuthPoolOptions) {
    this.#pool = new pg.Pool({
      connectionString: url,
      application_name: 'gateway-auth',
      max,
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + silenceMs,
      keepAlive: true,
    });
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.#pool.on('error', (error) => logger.debug({ err: error }, 'lost a connection to postgres'));
  }

  /** The part of a pool that better-auth uses: it connects, queries, releases and ends, and nothing else. */
  get forBetterAuth(): pg.Pool {
    return { connect: () => this.#connect(), end: () => this.end() } as unknown as pg.Pool; // see above
  }

  /** The failure of the database since then (epoch milliseconds), if there was one. */
  outageSince(at: number): AppError | undefined {
    return this.#outage !== undefined && this.#outage.toldAt >= at ? this.#outage.error : undefined;
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  async #connect() {
    const now = Date.now();
    if (this.#outage !== undefined && now - this.#outage.seenAt < pauseMs) {
      this.#outage.toldAt = now;
      throw this.#outage.error;
    }
    const client = await this.#noting(() => this.#pool.connect());
    let isBroken = false;
    const query = async (text: string, values: unknown[]): Promise<pg.QueryResult> => {
      try {
        return await this.#noting(() => client.query(text, values));
      } catch (error) {
        // An error answer of Postgres itself leaves the connection usable; any other error came from the wire.
        isBroken ||= !(error instanceof pg.DatabaseError);
        throw error;
      }
    };
    return { query, release: () => client.release(isBroken) };
  }

  async #noting<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const meaning = translateDatabaseError(error);
      const now = Date.now();
      if (meaning instanceof AppError && meaning.status >= 500)
        this.#outage = { seenAt: now, toldAt: now, error: meaning };
      throw error;
    }
  }
}
