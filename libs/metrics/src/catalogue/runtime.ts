// Instruments of Node's event loop and heap. A library of OpenTelemetry records it under the conventions' names.
import { instrument } from './definition.js';

const runtime = '@opentelemetry/instrumentation-runtime-node';
const heapSpaces = [
  'read_only_space',
  'new_space',
  'old_space',
  'code_space',
  'shared_space',
  'trusted_space',
  'new_large_object_space',
  'large_object_space',
  'code_large_object_space',
  'shared_large_object_space',
  'trusted_large_object_space',
] as const;

const eventLoopDelay = (which: string, about: string) =>
  instrument({
    name: `nodejs.eventloop.delay.${which}`,
    kind: 'gauge',
    unit: 's',
    about: `${about} delay of the event loop since the last collection; it is looked at every 50 ms, so no delay is shorter.`,
    place: 'every',
    labels: {},
    library: runtime,
  });

export const eventLoopMin = eventLoopDelay('min', 'The smallest');
export const eventLoopMax = eventLoopDelay('max', 'The largest');
export const eventLoopMean = eventLoopDelay('mean', 'The mean');
export const eventLoopDeviation = eventLoopDelay('stddev', 'The standard deviation of the');
export const eventLoopP50 = eventLoopDelay('p50', 'The median');
export const eventLoopP90 = eventLoopDelay('p90', 'The 90th percentile of the');
export const eventLoopP99 = eventLoopDelay('p99', 'The 99th percentile of the');

export const eventLoopUtilization = instrument({
  name: 'nodejs.eventloop.utilization',
  kind: 'gauge',
  unit: '1',
  about: 'Share of the time in which the event loop worked since the last collection.',
  place: 'every',
  labels: {},
  library: runtime,
});

export const eventLoopTime = instrument({
  name: 'nodejs.eventloop.time',
  kind: 'counter',
  unit: 's',
  about: 'Time that the event loop was active, and idle.',
  place: 'every',
  labels: { 'nodejs.eventloop.state': ['active', 'idle'] },
  library: runtime,
});

export const garbageCollection = instrument({
  name: 'v8js.gc.duration',
  kind: 'histogram',
  unit: 's',
  about: 'Time of garbage collections by kind.',
  place: 'every',
  labels: { 'v8js.gc.type': ['major', 'minor', 'incremental', 'weakcb'] },
  boundaries: [0.01, 0.1, 1, 10],
  library: runtime,
});

const heapGauge = (name: string, about: string) =>
  instrument({
    name,
    kind: 'gauge',
    unit: 'By',
    about,
    place: 'every',
    labels: { 'v8js.heap.space.name': heapSpaces },
    library: runtime,
  });

export const heapSize = heapGauge('v8js.memory.heap.space.size', 'Size of a space of the heap.');
export const heapUsed = heapGauge('v8js.memory.heap.used', 'Memory in use in a space of the heap.');
export const heapAvailable = heapGauge(
  'v8js.memory.heap.space.available_size',
  'Memory that is still free in a space of the heap.',
);
export const heapPhysical = heapGauge(
  'v8js.memory.heap.space.physical_size',
  'Physical memory of a space of the heap.',
);

export const activeResources = instrument({
  name: 'v8js.resource.active',
  kind: 'gauge',
  unit: '{resource}',
  about: 'Resources that keep the process alive, by type, such as sockets and timers.',
  place: 'every',
  labels: {
    'v8js.resource.type': [
      'PipeWrap',
      'TCPServerWrap',
      'TCPSocketWrap',
      'TTYWrap',
      'Timeout',
      'Immediate',
      'TickObject',
      'CloseReq',
      'ProcessWrap',
    ],
  },
  mostSets: 40,
  library: runtime,
});
