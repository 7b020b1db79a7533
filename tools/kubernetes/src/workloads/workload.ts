// One row of the table: a process that runs in the cluster.

/** The destinations of a process. Each has one network policy, and production names it in one file. */
export type Destination =
  | 'postgres'
  | 'nats'
  | 'eventstore'
  | 'mongodb'
  | 'livekit'
  | 'object-storage'
  | 'gateway'
  | 'mcp-facade'
  | 'telemetry'
  | 'voice-runtime'
  | 'internet';

/** Something that opens connections to a process, besides other processes of ours. */
export type Outsider = 'ingress' | 'livekit' | 'voice-runtime';

/** The rule by which the number of copies follows the work. */
export type Scaling =
  | { readonly by: 'cpu'; readonly percent: number; readonly least: number; readonly most: number }
  | {
      readonly by: 'metric';
      /** PromQL; its value divided by `perCopy` is the number of copies. */
      readonly query: string;
      readonly perCopy: number;
      readonly least: number;
      readonly most: number;
    };

export interface Workload {
  /** As in tools/compose/src/processes.ts; the command of the image too. */
  readonly name: string;
  /** Its role on Postgres. */
  readonly role: string;
  /** Its own listener for requests; most processes answer over NATS alone. */
  readonly port?: { readonly name: 'http'; readonly number: number };
  /** Its listener for the voice runtime alone. */
  readonly runtimePort?: { readonly name: 'runtime'; readonly number: number };
  readonly reaches: readonly Destination[];
  readonly openTo: readonly Outsider[];
  /** Memory in Mi, processors in thousandths. */
  readonly requests: { readonly cpu: number; readonly memory: number };
  readonly limits: { readonly cpu: number; readonly memory: number };
  /** In production, where nothing scales it. */
  readonly copies: number;
  readonly scaling?: Scaling;
  /** A copy goes on serving for this time after it has left the Service, because clients still send to it. */
  readonly preStopSeconds: number;
  /** Room in /tmp, in Mi. */
  readonly scratch: number;
}

/**
 * A rollout lets a new copy serve for this time before it takes the next old one away. Code that runs for the first time takes
 * several times as much of a processor as later. Copies that have just started should therefore not carry all requests. A
 * version that falls soon after its start stops the rollout.
 */
export const minReadySeconds = 10;

/** The listener that a process has for operators: probes and metrics. */
export const opsPort = { name: 'ops', number: 9464 } as const;

/** Where the gateway listens for the voice runtime: INTERNAL_PORT. */
export const runtimePort = 4710;
