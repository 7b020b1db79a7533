// Puts the parts together: one HTTP server under /v2, as the provider has it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ledger, listen, sameSecret } from '@parlance/fake-kit';
import { NumberInventory } from '@parlance/fake-kit/numbers';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { Accounts } from './account.js';
import { availableNumberRoutes } from './available-numbers.js';
import { connectionRoutes } from './connections.js';
import type { Context } from './context.js';
import { notFound, sendError, TelnyxError } from './errors.js';
import { createTelnyxFaults, type TelnyxFaults } from './faults.js';
import { numberOrderRoutes } from './number-orders.js';
import { outboundRoutes } from './outbound.js';
import { ownedNumberRoutes } from './owned-numbers.js';

export interface TelnyxCredentials {
  readonly apiKey: string;
  /** The name of the account in the ledger; `account` unless given. */
  readonly account?: string;
}

export interface TelnyxOptions {
  readonly dataDir: string;
  readonly host?: string;
  /** A free one unless given. */
  readonly port?: number;
  /** One account, or several that compete for the same numbers. */
  readonly credentials: TelnyxCredentials | readonly TelnyxCredentials[];
  /** The ledger of the run; one of its own in `dataDir` unless given. */
  readonly ledger?: Ledger;
  /** Its own unless given. */
  readonly faults?: TelnyxFaults;
  /** Another seed has other numbers for sale. */
  readonly seed?: string;
  /** The milliseconds that an order is pending; 400 unless given. */
  readonly fulfilmentMs?: number;
}

export interface RunningTelnyx {
  readonly port: number;
  /** The base URL for the client library; ends in /v2. */
  readonly url: string;
  readonly ledgerPath: string;
  stop(): Promise<void>;
}

const defaultFulfilmentMs = 400;
const nameOf = ({ account = 'account' }: TelnyxCredentials): string => account;

const bearerAuth =
  (credentials: readonly TelnyxCredentials[]): RequestHandler =>
  (request, response, next) => {
    const given = request.headers.authorization ?? '';
    const known = credentials.find(({ apiKey }) => sameSecret(given, `Bearer ${apiKey}`));
    if (!known)
      throw new TelnyxError(
        401,
        '10009',
        'Authentication failed',
        'The required authentication headers were either invalid or not included in the request.',
      );
    response.locals.account = nameOf(known);
    next();
  };

const apiOf = (context: Context, credentials: readonly TelnyxCredentials[]): express.Express => {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'extended');
  app.use('/v2', bearerAuth(credentials), express.json());
  app.get('/v2/balance', (_, response) => {
    const left = context.faults.take('money').mode === 'gone' ? '0.35' : '100.00';
    const amount = { balance: left, credit_limit: '0.00', available_credit: left, currency: 'USD' };
    response.json({ data: { record_type: 'balance', ...amount } });
  });
  app.use(
    '/v2',
    availableNumberRoutes(context),
    numberOrderRoutes(context),
    ownedNumberRoutes(context),
    connectionRoutes(context),
    outboundRoutes(context),
  );
  app.use(() => {
    throw notFound();
  });
  const onError: ErrorRequestHandler = (error, _request, response, _next) => sendError(response, error);
  app.use(onError);
  return app;
};

/** Starts the stand-in; resolves when it listens. */
export const startTelnyx = async (options: TelnyxOptions): Promise<RunningTelnyx> => {
  mkdirSync(options.dataDir, { recursive: true });
  const credentials = [options.credentials].flat();
  const ledger = options.ledger ?? (await Ledger.open(join(options.dataDir, 'ledger.jsonl')));
  const accounts = await Accounts.open(options.dataDir, ledger, credentials.map(nameOf));
  const context: Context = {
    accounts,
    inventory: new NumberInventory(options.seed ?? 'telnyx'),
    faults: options.faults ?? createTelnyxFaults(),
    fulfilmentMs: options.fulfilmentMs ?? defaultFulfilmentMs,
  };
  const listening = await listen(apiOf(context, credentials), options);
  return {
    port: listening.port,
    url: `${listening.url}/v2`,
    ledgerPath: ledger.path,
    stop: async () => {
      await listening.stop();
      await accounts.close();
      if (!options.ledger) await ledger.close();
    },
  };
};
