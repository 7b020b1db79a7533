// Puts the parts together: one HTTP server with the Twirp methods and the fault switches.
import { timingSafeEqual } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import express from 'express';
import { Faults } from './faults.js';
import { Ledger } from './ledger.js';
import { methodsOf } from './methods.js';
import { Rooms } from './rooms.js';
import { Runtime } from './runtime.js';
import { Sip } from './sip.js';
import { Trunks } from './trunks.js';
import { createGuard, sendError, sendJson, TwirpError } from './twirp.js';
import { Webhooks } from './webhooks.js';

export interface LiveKitOptions {
  readonly dataDir: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly host?: string;
  /** A free one unless given. */
  readonly port?: number;
  readonly webhookUrl: string;
  /** Where the simulated runtime finds the platform, such as http://127.0.0.1:4700. */
  readonly platformUrl: string;
  readonly internalKey: string;
  /** Dispatches with this name are taken by the simulated runtime. */
  readonly agentName: string;
  /** How much faster than life simulated people talk; ringing is never sped up. */
  readonly timeScale?: number;
}

export interface RunningLiveKit {
  readonly port: number;
  readonly url: string;
  readonly wsUrl: string;
  readonly ledgerPath: string;
  stop(): Promise<void>;
}

const sameSecret = (given: string, secret: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** Starts the stand-in; resolves when it listens. */
export const startLiveKit = async (options: LiveKitOptions): Promise<RunningLiveKit> => {
  mkdirSync(options.dataDir, { recursive: true });
  const host = options.host ?? '127.0.0.1';
  const timeScale = options.timeScale ?? 4;
  const ledgerPath = join(options.dataDir, 'ledger.jsonl');
  const ledger = await Ledger.open(ledgerPath);
  const faults = new Faults();
  const webhooks = new Webhooks({ ...options, url: options.webhookUrl }, faults);
  const rooms = new Rooms(webhooks);
  const trunks = new Trunks(join(options.dataDir, 'trunks.json'));
  const sip = new Sip({ rooms, ledger, faults, trunks, timeScale });
  const runtime = new Runtime({ ...options, timeScale }, rooms);
  rooms.onDispatch = (dispatch, room) => {
    runtime.take(dispatch, room).catch((error: unknown) => {
      process.stderr.write(`simulated runtime: ${error instanceof Error ? error.stack : String(error)}\n`);
    });
  };
  const guard = createGuard(options.apiKey, options.apiSecret);
  const methods = methodsOf(rooms, sip, trunks);

  const app = express();
  app.disable('x-powered-by');
  app.post('/twirp/livekit.:service/:method', express.json({ limit: '1mb' }), async (request, response) => {
    try {
      const found = methods[String(request.params.service)]?.[String(request.params.method)];
      if (!found) throw new TwirpError('unimplemented', 'this stand-in does not have this method');
      await guard(request, found.grant);
      const answer = await found.run(request.body);
      if (answer === 'hang') return;
      if (answer === 'reset') request.socket.resetAndDestroy();
      else sendJson(response, answer);
    } catch (error) {
      sendError(response, error);
    }
  });
  app.post('/sandbox/faults', express.json(), (request, response) => {
    if (!sameSecret(request.headers.authorization ?? '', `Bearer ${options.apiSecret}`)) {
      response.status(401).json({ error: 'the API secret is needed as bearer token' });
      return;
    }
    try {
      const { target, mode, times, ms } = request.body as {
        target: string;
        mode: string;
        times?: number;
        ms?: number;
      };
      faults.set(target, mode, times, ms);
      response.json({ target, mode });
    } catch (error) {
      response.status(400).json({ error: error instanceof Error ? error.message : String(error) });
    }
  });

  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    url: `http://${host}:${port}`,
    wsUrl: `ws://${host}:${port}`,
    ledgerPath,
    stop: async () => {
      runtime.stop();
      webhooks.stop();
      rooms.stop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await ledger.close();
    },
  };
};
