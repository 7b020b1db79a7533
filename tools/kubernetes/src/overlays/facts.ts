// The facts of an overlay about everything outside base: engines, outsiders, and the values of settings.
import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1';
import type { Manifest } from '../manifest.js';
import type { Destination, Outsider } from '../workloads/workload.js';

export type EngineDestination = Exclude<Destination, 'gateway' | 'mcp-facade' | 'internet'>;

/** For clients, and for the doctor of a process: NATS_MONITORING_URL. */
export const natsPorts: readonly number[] = [4222, 8222];

/** The ports of a collector for OTLP: gRPC and HTTP, between which OTEL_EXPORTER_OTLP_PROTOCOL chooses. */
export const telemetryPorts: readonly number[] = [4317, 4318];

export interface Reached {
  readonly to: INetworkPolicyPeer[];
  readonly ports: readonly number[];
}

export interface OverlayFacts {
  readonly name: 'single-node' | 'production';
  /** In one sentence, for the first lines of files. */
  readonly about: string;
  /** The operator decides these values; a process does not start without those that have no default. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where the engines are. */
  readonly engines: Readonly<Record<string, string>>;
  readonly reached: Readonly<Record<EngineDestination, Reached>>;
  readonly outsiders: Readonly<Record<Outsider, readonly INetworkPolicyPeer[]>>;
  /** Copies by process; absent: one, or the number that a scaler chooses. */
  readonly copies: Readonly<Record<string, number>>;
  /** More objects, by file. */
  readonly more: Readonly<Record<string, readonly Manifest[]>>;
  /** Name under which people reach the gateway. */
  readonly host: string;
}
