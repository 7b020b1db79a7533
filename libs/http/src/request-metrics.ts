// Measures every request: its time, operation and status, and the number of requests under way.
import { context } from '@opentelemetry/api';
import {
  counter,
  histogram,
  httpActive,
  httpDuration,
  httpResponses,
  isMeasuring,
  routes,
} from '@parlance/metrics';
import type { Response } from 'express';

const duration = histogram(httpDuration);
const responses = counter(httpResponses);
const active = counter(httpActive);

const firstFailure = 500;

/** Measures until the answer is out, or its connection is gone. */
export const measureRequest = (method: string, response: Response): void => {
  if (!isMeasuring()) return;
  const startedAt = performance.now();
  // The trace of the request: the context of the listener is that of the socket.
  const trace = context.active();
  active.add({ 'http.request.method': method });
  response.once('close', () => {
    active.add({ 'http.request.method': method }, -1);
    const { route: operation = 'none', isOpenEnded } = response.locals;
    const status = response.statusCode;
    const error = status >= firstFailure ? { 'error.type': String(status) } : {};
    if (isOpenEnded !== true)
      duration.record(
        (performance.now() - startedAt) / 1_000,
        {
          'parlance.operation': operation,
          'http.request.method': method,
          'http.route': routes.get(operation)?.route,
          ...error,
        },
        trace,
      );
    responses.add({ 'parlance.operation': operation, 'http.response.status_code': String(status) });
  });
};
