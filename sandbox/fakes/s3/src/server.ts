// Puts the parts together: the sender of a request, its operation, a fault on demand, and the answer.
import { randomUUID } from 'node:crypto';
import { listen, withFaults } from '@parlance/fake-kit';
import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import { authenticate, type Credentials } from './authentication.js';
import {
  createBucket,
  deleteBucket,
  deleteObjects,
  headBucket,
  listBuckets,
  listObjects,
  requireBucketName,
} from './buckets.js';
import { cors } from './cors.js';
import { createS3Faults, faultAnswers, type S3Faults } from './faults.js';
import { getObject, headObject } from './object-reads.js';
import { deleteObject, putObject } from './object-writes.js';
import { type Context, type Operation, refuseUnknown, requireKey } from './operation.js';
import { notImplemented, S3Error, sendError } from './s3-error.js';
import { S3Request } from './s3-request.js';
import { ObjectStore } from './store.js';

export interface S3Options extends Credentials {
  readonly dataDir: string;
  readonly host?: string;
  /** A free one unless given. */
  readonly port?: number;
  /** Made when they are not there. */
  readonly buckets: readonly string[];
  /** Origins of web pages that may use presigned URLs; `*` is any. None unless given. */
  readonly corsOrigins?: readonly string[];
  /** Its own unless given. */
  readonly faults?: S3Faults;
}

export interface RunningS3 {
  readonly port: number;
  readonly url: string;
  stop(): Promise<void>;
}

const operations: Readonly<Record<string, Operation>> = {
  'GET service': listBuckets,
  'PUT bucket': createBucket,
  'HEAD bucket': headBucket,
  'GET bucket': listObjects,
  'DELETE bucket': deleteBucket,
  'PUT object': putObject,
  'HEAD object': headObject,
  'GET object': getObject,
  'DELETE object': deleteObject,
};

/** @throws S3Error MethodNotAllowed, NotImplemented, KeyTooLongError */
const operationOf = (request: S3Request): Operation => {
  const level = request.bucket === '' ? 'service' : request.key === '' ? 'bucket' : 'object';
  const bulk = request.method === 'POST' && level === 'bucket' && request.parameter('delete') !== undefined;
  const found = bulk ? deleteObjects : operations[`${request.method} ${level}`];
  if (!found && request.method === 'POST') throw notImplemented('POST');
  if (!found)
    throw new S3Error('MethodNotAllowed', 'The specified method is not allowed against this resource.');
  refuseUnknown(request, found);
  requireKey(request.key);
  return found;
};

interface Locals {
  readonly context: Context;
  readonly operation: Operation;
}
/** The operation and context that `identify` has found out. */
const localsOf = ({ locals }: Response): Locals => locals as Record<string, unknown> as unknown as Locals;

const identify =
  (store: ObjectStore, credentials: Credentials): RequestHandler =>
  (message, response, next) => {
    const request = new S3Request(message);
    const payloadHash = authenticate(request, credentials);
    const found: Locals = {
      context: { store, request, payloadHash, response },
      operation: operationOf(request),
    };
    Object.assign(response.locals, found);
    next();
  };

const onError: ErrorRequestHandler = (error, request, response, _next) => {
  // A client that hung up in the middle gets no answer; its half-sent content is gone already.
  if (request.destroyed && !request.complete) return;
  if (response.destroyed) return;
  sendError(response, error);
};

/** Runs operations and adds them to `running` until they have ended. */
const runInto =
  (running: Set<Promise<void>>): RequestHandler =>
  async (_request, response) => {
    // A client that was kept waiting on demand may have left.
    if (response.destroyed) return;
    const { operation, context } = localsOf(response);
    const run = (async () => operation.run(context))();
    running.add(run);
    await run.finally(() => running.delete(run));
  };

const s3App = (
  store: ObjectStore,
  options: S3Options,
  faults: S3Faults,
  running: Set<Promise<void>>,
): express.Express => {
  const app = express();
  app.disable('x-powered-by');
  app.use((_request, response, next) => {
    response.setHeader('x-amz-request-id', randomUUID());
    next();
  });
  app.use(cors(options.corsOrigins ?? []));
  app.use(identify(store, options));
  app.use(withFaults(faults, ({ res }) => (res ? localsOf(res).operation.target : undefined), faultAnswers));
  app.use(runInto(running));
  app.use(onError);
  return app;
};

/** Starts the stand-in; resolves when it listens. @throws S3Error InvalidBucketName */
export const startS3 = async (options: S3Options): Promise<RunningS3> => {
  for (const bucket of options.buckets) requireBucketName(bucket);
  const store = await ObjectStore.open(options.dataDir);
  for (const bucket of options.buckets) await store.createBucket(bucket);
  const running = new Set<Promise<void>>();
  const app = s3App(store, options, options.faults ?? createS3Faults(), running);
  const listening = await listen(app, options);
  return {
    port: listening.port,
    url: listening.url,
    stop: async () => {
      await listening.stop();
      await Promise.allSettled(running);
      await store.close();
    },
  };
};
