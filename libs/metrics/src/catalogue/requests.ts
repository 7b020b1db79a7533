// Requests: at the gateway over HTTP, and at a service over NATS.
import { instrument } from './definition.js';
import {
  errorNames,
  failureStatuses,
  methods,
  operationIds,
  processNames,
  requestIds,
  routeNames,
  statuses,
} from './label-values.js';

const seconds = [0.01, 0.05, 0.1, 0.25, 1, 2.5, 10] as const;

export const httpDuration = instrument({
  name: 'http.server.request.duration',
  kind: 'histogram',
  unit: 's',
  about: 'Time from the first byte of a request to the last byte of its answer.',
  place: 'gateway',
  labels: {
    'parlance.operation': operationIds,
    'http.request.method': methods,
    'http.route': routeNames,
    'error.type': failureStatuses,
  },
  boundaries: seconds,
  mostSets: 150,
});

export const httpResponses = instrument({
  name: 'parlance.http.responses',
  kind: 'counter',
  unit: '{response}',
  about: 'Answers by operation and status.',
  place: 'gateway',
  labels: { 'parlance.operation': operationIds, 'http.response.status_code': statuses },
  mostSets: 600,
});

export const httpActive = instrument({
  name: 'http.server.active_requests',
  kind: 'upDownCounter',
  unit: '{request}',
  about: 'Requests that are not answered yet.',
  place: 'gateway',
  labels: { 'http.request.method': methods },
});

export const rpcDuration = instrument({
  name: 'rpc.server.duration',
  kind: 'histogram',
  unit: 's',
  about: 'Time from the arrival of a request over NATS to its reply; `error.type` is the code of a failure.',
  place: 'service',
  labels: {
    'rpc.system': ['nats'],
    'rpc.service': processNames,
    'rpc.method': requestIds,
    'error.type': errorNames,
  },
  boundaries: seconds,
  mostSets: 170,
});

export const rpcActive = instrument({
  name: 'parlance.rpc.active_requests',
  kind: 'upDownCounter',
  unit: '{request}',
  about: 'Requests over NATS that are not answered yet.',
  place: 'service',
  labels: { 'rpc.service': processNames },
});

export const rpcExpired = instrument({
  name: 'parlance.rpc.expired',
  kind: 'counter',
  unit: '{request}',
  about: 'Requests that arrived after their deadline and were dropped.',
  place: 'service',
  labels: { 'rpc.service': processNames },
});

export const rpcOverloaded = instrument({
  name: 'parlance.rpc.overloaded',
  kind: 'counter',
  unit: '{request}',
  about: 'Requests that were refused because the service had as many in progress as it may have.',
  place: 'service',
  labels: { 'rpc.service': processNames },
});

export const rpcRepeated = instrument({
  name: 'parlance.rpc.repeated',
  kind: 'counter',
  unit: '{request}',
  about:
    'Reads that were sent to a service again: after a third of their time without an answer, or for another try.',
  place: 'gateway',
  labels: { 'rpc.service': processNames },
});
