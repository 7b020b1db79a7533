// Puts the parts together: one HTTP server for the three hosts that the provider has.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ledger, listen, sameSecret } from '@parlance/fake-kit';
import { NumberInventory } from '@parlance/fake-kit/numbers';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { Accounts } from './account.js';
import { availableNumberRoutes } from './available-numbers.js';
import { type Context, callerOf } from './context.js';
import { notFound, sendError, TwilioError } from './errors.js';
import { createTwilioFaults, type TwilioFaults } from './faults.js';
import { ownedNumberRoutes } from './owned-numbers.js';
import { pricingRoutes } from './pricing.js';
import { sipCredentialRoutes } from './sip-credentials.js';
import { trunkingRoutes } from './trunking.js';

export interface TwilioCredentials {
  /** `AC` and 32 hexadecimal digits; the client library checks the first two letters. */
  readonly accountSid: string;
  readonly authToken: string;
}

export interface TwilioOptions {
  readonly dataDir: string;
  readonly host?: string;
  /** A free one unless given. */
  readonly port?: number;
  /** One account, or several that compete for the same numbers. */
  readonly credentials: TwilioCredentials | readonly TwilioCredentials[];
  /** The ledger of the run; one of its own in `dataDir` unless given. */
  readonly ledger?: Ledger;
  /** Its own unless given. */
  readonly faults?: TwilioFaults;
  /** Another seed has other numbers for sale. */
  readonly seed?: string;
}

export interface RunningTwilio {
  readonly port: number;
  readonly url: string;
  readonly ledgerPath: string;
  stop(): Promise<void>;
}

const basicAuth =
  (credentials: readonly TwilioCredentials[]): RequestHandler =>
  (request, response, next) => {
    const [scheme, encoded = ''] = (request.headers.authorization ?? '').split(' ');
    const given = scheme === 'Basic' ? Buffer.from(encoded, 'base64').toString() : '';
    const account = credentials.find(({ accountSid, authToken }) =>
      sameSecret(given, `${accountSid}:${authToken}`),
    );
    if (!account) throw new TwilioError(401, 20003, 'Authenticate');
    response.locals.accountSid = account.accountSid;
    next();
  };

/** An account sees nothing of another one. */
const ownAccount: RequestHandler = ({ params, originalUrl }, response, next) => {
  if (String(params.account).replace(/\.json$/, '') !== callerOf(response)) throw notFound(originalUrl);
  next();
};

const apiOf = (context: Context, credentials: readonly TwilioCredentials[]): express.Express => {
  const app = express();
  app.disable('x-powered-by');
  app.use(basicAuth(credentials), express.urlencoded({ extended: false }));
  const account = '/2010-04-01/Accounts/:account';
  app.use(account, ownAccount);
  app.get(account, (_, response) => {
    const sid = callerOf(response);
    const { mode } = context.faults.take('account');
    const status = mode === 'suspended' ? 'suspended' : 'active';
    response.json({ sid, friendly_name: 'Simulated account', status, type: 'Full' });
  });
  app.get(`${account}/Balance.json`, (_, response) => {
    const { mode } = context.faults.take('money');
    response.json({
      account_sid: callerOf(response),
      balance: mode === 'gone' ? '0.35' : '100.00',
      currency: 'USD',
    });
  });
  app.use(account, availableNumberRoutes(context), ownedNumberRoutes(context), sipCredentialRoutes(context));
  app.use('/v1/PhoneNumbers/Countries', pricingRoutes(context));
  app.use('/v1/Trunks', trunkingRoutes(context));
  app.use(({ originalUrl }) => {
    throw notFound(originalUrl);
  });
  const onError: ErrorRequestHandler = (error, _request, response, _next) => sendError(response, error);
  app.use(onError);
  return app;
};

/** Starts the stand-in; resolves when it listens. */
export const startTwilio = async (options: TwilioOptions): Promise<RunningTwilio> => {
  mkdirSync(options.dataDir, { recursive: true });
  const credentials = [options.credentials].flat();
  const ledger = options.ledger ?? (await Ledger.open(join(options.dataDir, 'ledger.jsonl')));
  const accounts = await Accounts.open(
    options.dataDir,
    ledger,
    credentials.map(({ accountSid }) => accountSid),
  );
  const inventory = new NumberInventory(options.seed ?? 'twilio');
  const faults = options.faults ?? createTwilioFaults();
  const listening = await listen(apiOf({ accounts, inventory, faults }, credentials), options);
  return {
    port: listening.port,
    url: listening.url,
    ledgerPath: ledger.path,
    stop: async () => {
      await listening.stop();
      await accounts.close();
      if (!options.ledger) await ledger.close();
    },
  };
};
