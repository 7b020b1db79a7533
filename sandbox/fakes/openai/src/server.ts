// Puts the routes together: one HTTP server under /v1, as the vendors have it.
import type { IncomingHttpHeaders } from 'node:http';
import { type Listening, listen, sameSecret, withFaults } from '@parlance/fake-kit';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { speech, transcriptions } from './audio.js';
import { AudioScript } from './audio-script.js';
import { completions } from './completions.js';
import type { Context } from './context.js';
import { OpenAiError, sendError } from './errors.js';
import { createOpenAiFaults, faultAnswers, type OpenAiFaults, type OpenAiTarget } from './faults.js';
import { listOf } from './models.js';
import { ChatScript } from './script.js';
import { scriptControl } from './script-control.js';

export interface OpenAiOptions {
  readonly host?: string;
  /** A free one unless given. */
  readonly port?: number;
  /** Any key is accepted unless given. */
  readonly apiKey?: string;
  /** Every model exists unless given. */
  readonly models?: readonly string[];
  /** Its own unless given. */
  readonly faults?: OpenAiFaults;
  /** Serves the script at /script under this bearer token. */
  readonly controlToken?: string;
}

/** A request that came in, whatever became of it. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The client's port: the same for requests on one connection. */
  readonly clientPort: number | undefined;
  /** JSON, or undefined for audio. */
  readonly body: unknown;
}

export interface RunningOpenAi {
  readonly port: number;
  /** The base URL for clients; ends in /v1. */
  readonly url: string;
  readonly faults: OpenAiFaults;
  readonly chat: ChatScript;
  readonly audio: AudioScript;
  /** In the order of their arrival; tests may empty it. */
  readonly received: ReceivedRequest[];
  stop(): Promise<void>;
}

/** Of recordings, as at OpenAI. */
const largestUpload = '25mb';

const bearerAuth =
  (apiKey: string): RequestHandler =>
  (request, _response, next) => {
    if (sameSecret(request.headers.authorization ?? '', `Bearer ${apiKey}`)) return next();
    throw new OpenAiError(401, 'invalid_request_error', 'Incorrect API key provided.', 'invalid_api_key');
  };

const apiOf = (context: Context, received: ReceivedRequest[], options: OpenAiOptions): express.Express => {
  const app = express();
  app.disable('x-powered-by');
  if (options.controlToken !== undefined)
    app.use('/script', scriptControl(options.controlToken, context.chat, context.audio));
  app.use(
    express.json({ limit: '10mb' }),
    express.raw({ type: 'multipart/form-data', limit: largestUpload }),
  );
  app.use((request, _response, next) => {
    const body: unknown = Buffer.isBuffer(request.body) ? undefined : request.body;
    const clientPort = request.socket.remotePort;
    received.push({ path: request.path, headers: request.headers, clientPort, body });
    next();
  });
  if (options.apiKey !== undefined) app.use(bearerAuth(options.apiKey));
  const under = (target: OpenAiTarget): RequestHandler =>
    withFaults(context.faults, () => target, faultAnswers);
  app.get('/v1/models', under('models'), (_, response) => {
    response.json(listOf(context));
  });
  app.post('/v1/chat/completions', under('chat'), completions(context));
  app.post('/v1/audio/transcriptions', under('transcriptions'), transcriptions(context));
  app.post('/v1/audio/speech', under('speech'), speech(context));
  app.use((request) => {
    throw new OpenAiError(
      404,
      'invalid_request_error',
      `Invalid URL (${request.method} ${request.path})`,
      'unknown_url',
    );
  });
  const onError: ErrorRequestHandler = (error, _request, response, _next) => sendError(response, error);
  app.use(onError);
  return app;
};

/** Starts the stand-in; resolves when it listens. */
export const startOpenAi = async (options: OpenAiOptions = {}): Promise<RunningOpenAi> => {
  const received: ReceivedRequest[] = [];
  const faults = options.faults ?? createOpenAiFaults();
  let ids = 0;
  const context: Context = {
    faults,
    chat: new ChatScript(),
    audio: new AudioScript(),
    models: options.models,
    nextId: (prefix) => {
      ids += 1;
      return `${prefix}-${ids}`;
    },
  };
  const { port, url, stop }: Listening = await listen(apiOf(context, received, options), options);
  return { port, url: `${url}/v1`, faults, chat: context.chat, audio: context.audio, received, stop };
};
