// Boots the facade: its table of used confirmations, the gateway's address, the protocol, the listening socket.
import { setTimeout as delay } from 'node:timers/promises';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { longestWorkMs, stopLimitMsOf } from '@parlance/contracts';
import { drainDelayOf, type HttpServer, listen } from '@parlance/http';
import {
  type Clock,
  createLogger,
  type Logger,
  Readiness,
  type RunningService,
  refuseOldEngine,
  startRounds,
  systemClock,
  systemIds,
} from '@parlance/observability';
import { openOps } from '@parlance/ops-listener';
import { agreeOnKeys, createDatabase, migrate, whenReachable } from '@parlance/postgres';
import { Confirmations } from './confirmation/confirmations.js';
import { ConfirmationTokens } from './confirmation/tokens.js';
import type { Env } from './env.js';
import { Gateway } from './gateway/gateway.js';
import { createApp } from './http/app.js';
import { ToolCalls } from './protocol/call-tool.js';
import { mcpServerFor } from './protocol/mcp-server.js';

const sweepEveryMs = 5 * 60_000;
/** A look at one row while a client waits for an answer: a database that takes longer is away. */
const statementTimeoutMs = 2_000;

export interface McpFacade extends RunningService {
  /** Scheme, host and port that it listens on. */
  readonly url: string;
}

interface Running {
  readonly steps: (() => unknown)[];
  readonly logger: Logger;
}

const stopAll = async ({ steps, logger }: Running): Promise<void> => {
  for (const stop of steps.splice(0).reverse()) {
    try {
      await stop();
    } catch (err) {
      logger.warn({ err }, 'a part did not stop in order');
    }
  }
};

const serve = async (
  env: Env,
  clock: Clock,
  server: HttpServer,
  { steps, logger }: Running,
): Promise<void> => {
  const ops = await openOps({ service: 'mcp-facade', env, logger });
  steps.push(() => ops.stop());
  const { POSTGRES_URL: url, POSTGRES_POOL_MAX: max } = env;
  const db = createDatabase({ url, applicationName: 'mcp-facade', max, statementTimeoutMs, logger });
  steps.push(() => db.end());
  await refuseOldEngine('PostgreSQL', () => db.serverVersion());
  await whenReachable(
    async () => {
      await migrate(db, { directory: new URL('../migrations/', import.meta.url) });
      await agreeOnKeys(db, env, logger);
    },
    { logger },
  );
  await db.open();
  const tokens = new ConfirmationTokens({ key: env.MCP_CONFIRMATION_KEY, clock, ids: systemIds });
  const confirmations = new Confirmations({ db, tokens, clock });
  const sweeping = startRounds({
    ...{ name: 'sweeping of confirmations', firstAfterMs: sweepEveryMs, everyMs: sweepEveryMs, logger },
    round: () => confirmations.forgetExpired(),
  });
  steps.push(() => sweeping.stop());
  const toolCalls = new ToolCalls({ confirmations, logger });
  const handler = createMcpHandler(mcpServerFor({ version: env.SERVICE_VERSION, toolCalls }), {
    onerror: (err) => logger.debug({ err }, 'a message was refused'),
  });
  steps.push(() => handler.close());
  const readiness = new Readiness(logger, systemClock, db.activity);
  readiness.add('readModel', { required: true, check: () => db.ping() });
  readiness.start();
  steps.push(() => readiness.stop());
  server.serve(
    createApp({
      ...{ logger, ids: systemIds, handler },
      gateway: new Gateway(env.GATEWAY_URL),
      publicUrl: new URL(env.PUBLIC_URL).origin,
      allowedOrigins: env.MCP_ALLOWED_ORIGINS,
      issuer: env.MCP_OAUTH_ISSUER,
      isReady: () =>
        db.ping().then(
          () => true,
          () => false,
        ),
    }),
  );
  ops.started(() => readiness.report());
};

/**
 * First of all, because requests that are under way need the protocol and the database behind them. A gateway keeps its
 * connections open, and hears with the next answer on each that it is the last one.
 */
const endRequests = async (server: HttpServer, env: Env): Promise<void> => {
  server.drain();
  await delay(drainDelayOf(env));
  await server.close();
};

/** Resolves when it serves. @param clock by which confirmations expire */
export const start = async (env: Env, clock: Clock = systemClock): Promise<McpFacade> => {
  const logger = createLogger({ service: 'mcp-facade', level: env.LOG_LEVEL });
  const server = await listen(env.MCP_HOST, env.MCP_PORT, { finishWithinMs: longestWorkMs('mcp-facade') });
  const running: Running = { logger, steps: [() => server.close()] };
  try {
    await serve(env, clock, server, running);
    running.steps.push(() => endRequests(server, env));
    const stopLimitMs = drainDelayOf(env) + stopLimitMsOf('mcp-facade');
    return { name: 'mcp-facade', url: server.url, stopLimitMs, stop: () => stopAll(running) };
  } catch (error) {
    await stopAll(running);
    throw error;
  }
};
