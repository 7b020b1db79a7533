// The table: every process of the platform in the cluster. Manifests, policies and the chart are folded from it.
import { runtimePort, type Scaling, type Workload } from './workload.js';

/** A service answers over NATS, so no process connects to it. */
const service = (
  name: string,
  reaches: Workload['reaches'],
  more: Partial<Pick<Workload, 'requests' | 'limits' | 'scaling' | 'scratch'>> = {},
): Workload => ({
  name,
  role: name.replaceAll('-', '_'),
  reaches: ['postgres', 'nats', 'telemetry', ...reaches],
  openTo: [],
  // `npm run rolling` ran on two cores with two copies, 200 requests a second and 50 calls. A copy took 160 to 250 MiB at most.
  // In the busiest of a hundred seconds it took 70 to 100 thousandths of a processor.
  requests: { cpu: 100, memory: 256 },
  limits: { cpu: 2_000, memory: 768 },
  copies: 2,
  preStopSeconds: 0,
  scratch: 64,
  ...more,
});

/** In the same run 280 to 360 MiB, and 235 thousandths: every request passes through it. */
const edge = { requests: { cpu: 300, memory: 384 } } as const;

/**
 * In the same run 380 to 480 MiB, and 265 thousandths. It took 300 while its code was cold, and would have taken more. It answers most,
 * every call passes through it, and one copy writes the read models besides.
 */
const reading = { requests: { cpu: 400, memory: 512 } } as const;

/**
 * In the same run 290 to 380 MiB, and 120 thousandths. It took 245 while its code was cold, and would have taken more. It places the
 * calls.
 */
const dialing = { requests: { cpu: 250, memory: 384 } } as const;

/** In the same run 105 thousandths. */
const asked = { requests: { cpu: 150, memory: 256 } } as const;

/** A process that waits for servers of others takes no processor time, so the number of requests in progress tells the load. */
const byRequestsInProgress = (name: string): Scaling => ({
  by: 'metric',
  query: `sum(parlance_rpc_active_requests{rpc_service="${name}"})`,
  perCopy: 50,
  least: 2,
  most: 8,
});

/** Every copy reads the same rows: of copies the largest number counts, and numbers of different work add up. */
const sumOf = (metric: string, label: string, values: readonly string[]): string =>
  `sum(max by (${label}) (${metric}{${label}=~"${values.join('|')}"}))`;

export const workloads: readonly Workload[] = [
  {
    ...service('gateway', ['livekit', 'mcp-facade', 'internet'], edge),
    port: { name: 'http', number: 4700 },
    runtimePort: { name: 'runtime', number: runtimePort },
    openTo: ['ingress', 'livekit'],
    copies: 3,
    scaling: { by: 'cpu', percent: 60, least: 3, most: 12 },
    preStopSeconds: 5,
  },
  {
    ...service('mcp-facade', []),
    reaches: ['postgres', 'telemetry', 'gateway'],
    port: { name: 'http', number: 4720 },
    preStopSeconds: 5,
  },
  service('agents-config', ['livekit', 'internet'], asked),
  service('calls-logs', ['livekit', 'eventstore', 'mongodb', 'object-storage', 'internet'], reading),
  service('outbound-dialer', ['livekit', 'eventstore', 'object-storage'], {
    ...dialing,
    // MAX_CONCURRENT_DIALS, which one copy dials at the same time
    scaling: {
      by: 'metric',
      query: sumOf('parlance_attempts_open', 'parlance_attempt_phase', ['due', 'dialing']),
      perCopy: 20,
      least: 2,
      most: 8,
    },
  }),
  service('telephony-numbers', ['livekit', 'internet']),
  // two readers of 768 MB each beside the process itself: docs/operations.md, Knowledge sources
  service('knowledge', ['object-storage', 'internet'], {
    requests: { cpu: 100, memory: 512 },
    limits: { cpu: 2_000, memory: 2_560 },
    // KNOWLEDGE_JOBS, which one copy reads at the same time
    scaling: {
      by: 'metric',
      query: sumOf('parlance_knowledge_jobs', 'parlance_job_state', ['due', 'running']),
      perCopy: 4,
      least: 2,
      most: 8,
    },
    scratch: 256,
  }),
  service('tools-secrets', ['internet'], { scaling: byRequestsInProgress('tools-secrets') }),
  service('mcp-hub', ['internet'], { scaling: byRequestsInProgress('mcp-hub') }),
  service('widgets', ['livekit', 'voice-runtime']),
];

/** Runs once per installation and version: roles, schemas, the event stream. */
export const provisioner: Pick<Workload, 'name' | 'reaches' | 'requests' | 'limits' | 'scratch'> = {
  name: 'provision',
  reaches: ['postgres', 'nats'],
  requests: { cpu: 50, memory: 128 },
  limits: { cpu: 1_000, memory: 256 },
  scratch: 64,
};

/** Runs once per version, with the variables of `provision`: the schemas of all processes. */
export const migrator: typeof provisioner = {
  name: 'migrate',
  reaches: ['postgres'],
  requests: { cpu: 50, memory: 192 },
  limits: { cpu: 1_000, memory: 512 },
  scratch: 64,
};
