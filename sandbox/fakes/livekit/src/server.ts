// Puts the parts together: one HTTP server with the Twirp methods and the fault switches.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { applyFaultSetting, bearerGuard, Ledger, listen, withFaults } from '@parlance/fake-kit';
import express, { type ErrorRequestHandler, type Request } from 'express';
import { createLiveKitFaults, type LiveKitFaults } from './faults.js';
import { InboundCalls } from './inbound.js';
import { joinWith } from './joins.js';
import { methodsOf } from './methods.js';
import { Rooms } from './rooms.js';
import { Runtime } from './runtime.js';
import { Sip } from './sip.js';
import { SipObjects } from './sip-objects.js';
import { createGuard, type Method, sendError, sendJson, TwirpError } from './twirp.js';
import { twirpFaults } from './twirp-faults.js';
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
  /** The factor by which simulated people talk faster than in life; ringing is never sped up. */
  readonly timeScale?: number;
  /** The longest that the server waits for the callee of a dial; LiveKit's 80 seconds unless given. */
  readonly longestWaitMs?: number;
  /** The ledger of the run; one of its own in `dataDir` unless given. */
  readonly ledger?: Ledger;
  /** Its own unless given. */
  readonly faults?: LiveKitFaults;
}

export interface RunningLiveKit {
  readonly port: number;
  readonly url: string;
  readonly wsUrl: string;
  readonly ledgerPath: string;
  stop(): Promise<void>;
}

type Methods = Readonly<Record<string, Record<string, Method>>>;

const twirpPath = '/twirp/livekit.:service/:method';

const methodOf = (methods: Methods, { params }: Request): Method => {
  const found = methods[String(params.service)]?.[String(params.method)];
  if (!found) throw new TwirpError('unimplemented', 'this stand-in does not have this method');
  return found;
};

const twirpApp = (
  methods: Methods,
  guard: ReturnType<typeof createGuard>,
  faults: LiveKitFaults,
): express.Express => {
  const app = express();
  app.disable('x-powered-by');
  app.post(
    twirpPath,
    express.json({ limit: '1mb' }),
    async (request, _, next) => {
      await guard(request, methodOf(methods, request).grant);
      next();
    },
    withFaults(
      faults,
      (request) => {
        const { target } = methodOf(methods, request);
        return target === 'itself' ? undefined : target;
      },
      twirpFaults,
    ),
    async (request, response) => {
      const answer = await methodOf(methods, request).run(request.body);
      if (answer === 'hang') return;
      if (answer === 'refuse') request.socket.destroy();
      else if (answer === 'reset') request.socket.resetAndDestroy();
      else sendJson(response, answer);
    },
  );
  return app;
};

const onError: ErrorRequestHandler = (error, _request, response, _next) => sendError(response, error);

/** The stand-in's own controls: faults, inbound calls of simulated people, and the death of the SIP service. */
const controlRoutes = (
  app: express.Express,
  parts: {
    readonly apiSecret: string;
    readonly faults: LiveKitFaults;
    readonly inbound: InboundCalls;
    readonly rooms: Rooms;
  },
): void => {
  app.use('/sandbox', bearerGuard(parts.apiSecret), express.json());
  app.post('/sandbox/faults', ({ body }, response) => applyFaultSetting(parts.faults, body, response));
  app.post('/sandbox/inbound-calls', async ({ body }, response) => {
    const answer = await parts.inbound.call(body);
    response.status('refused' in answer ? 422 : 201).json(answer);
  });
  app.delete('/sandbox/telephones', (_, response) => {
    parts.rooms.loseTelephones();
    response.status(204).end();
  });
};

/** Starts the stand-in; resolves when it listens. */
export const startLiveKit = async (options: LiveKitOptions): Promise<RunningLiveKit> => {
  mkdirSync(options.dataDir, { recursive: true });
  const timeScale = options.timeScale ?? 4;
  const ledger = options.ledger ?? (await Ledger.open(join(options.dataDir, 'ledger.jsonl')));
  const faults = options.faults ?? createLiveKitFaults();
  const webhooks = new Webhooks({ ...options, url: options.webhookUrl }, faults);
  const rooms = new Rooms(webhooks);
  const objects = new SipObjects(options.dataDir);
  const { longestWaitMs = 80_000 } = options;
  const sip = new Sip({ rooms, ledger, faults, objects, timeScale, longestWaitMs });
  const inbound = new InboundCalls({ rooms, objects, timeScale });
  const runtime = new Runtime({ ...options, timeScale }, rooms);
  rooms.onDispatch = (dispatch, room) => {
    runtime.take(dispatch, room).catch((error: unknown) => {
      process.stderr.write(`simulated runtime: ${error instanceof Error ? error.stack : String(error)}\n`);
    });
  };

  const guard = createGuard(options.apiKey, options.apiSecret);
  const app = twirpApp(methodsOf(rooms, sip, objects), guard, faults);
  app.post('/sandbox/joins', async ({ headers }, response) => {
    sendJson(response, await joinWith({ ...options, rooms }, headers.authorization ?? ''));
  });
  controlRoutes(app, { apiSecret: options.apiSecret, faults, inbound, rooms });
  app.use(onError);

  const listening = await listen(app, options);
  return {
    port: listening.port,
    url: listening.url,
    wsUrl: listening.url.replace('http:', 'ws:'),
    ledgerPath: ledger.path,
    stop: async () => {
      runtime.stop();
      webhooks.stop();
      rooms.stop();
      await listening.stop();
      if (!options.ledger) await ledger.close();
    },
  };
};
