// The process itself: memory, connections to Postgres, and the states of its readiness report.
import { instrument } from './definition.js';
import { dependencies, processNames, runtimeNames } from './label-values.js';

const allNames = [...processNames, ...runtimeNames];

export const memory = instrument({
  name: 'process.memory.usage',
  kind: 'gauge',
  unit: 'By',
  about: 'Memory of the process that is resident.',
  place: 'every',
  labels: {},
});

export const ready = instrument({
  name: 'parlance.ready',
  kind: 'gauge',
  unit: '{process}',
  about: '1 while the process can do its core work, otherwise 0.',
  place: 'every',
  labels: { 'parlance.process': allNames },
});

export const dependencyUp = instrument({
  name: 'parlance.dependency.up',
  kind: 'gauge',
  unit: '{dependency}',
  about:
    '1 while a dependency works, as this process sees it, otherwise 0; absent where it is not in use. The process cannot do its core work without a `required` one.',
  place: 'every',
  labels: {
    'parlance.process': allNames,
    'parlance.dependency': dependencies,
    'parlance.dependency.need': ['required', 'optional'],
  },
  // A process needs a dependency in one way alone.
  mostSets: (processNames.length + 2) * (dependencies.length + 2),
});

export const troubledParts = instrument({
  name: 'parlance.parts.troubled',
  kind: 'gauge',
  unit: '{part}',
  about: 'Background parts that cannot do their work now; `GET /ready` names them.',
  place: 'every',
  labels: { 'parlance.process': allNames },
});

export const poolConnections = instrument({
  name: 'db.client.connection.count',
  kind: 'gauge',
  unit: '{connection}',
  about: 'Connections to Postgres, idle and in use.',
  place: 'every',
  labels: {
    'db.client.connection.pool.name': processNames,
    'db.client.connection.state': ['idle', 'used'],
  },
});

export const poolMost = instrument({
  name: 'db.client.connection.max',
  kind: 'gauge',
  unit: '{connection}',
  about: 'Connections to Postgres that the pool may have.',
  place: 'every',
  labels: { 'db.client.connection.pool.name': processNames },
});

export const backgroundWaiting = instrument({
  name: 'parlance.db.background.waiting',
  kind: 'gauge',
  unit: '{work}',
  about: 'Background works that wait for their turn, so that requests find connections to Postgres.',
  place: 'every',
  labels: { 'db.client.connection.pool.name': processNames },
});

export const poolWaiting = instrument({
  name: 'db.client.connection.pending_requests',
  kind: 'gauge',
  unit: '{request}',
  about: 'Statements that wait for a connection to Postgres.',
  place: 'every',
  labels: { 'db.client.connection.pool.name': processNames },
});
