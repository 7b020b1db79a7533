// The engines of the single-node overlay as objects: a StatefulSet and a Service each, and the jobs that prepare them.

import type { Service } from '@parlance/compose';
import { passwordVariableOf, userNames } from '@parlance/messaging';
import type { IPodSpec, IService } from 'kubernetes-models/v1';
import type { IJob, INetworkPolicy, IStatefulSet, Manifest } from '../manifest.js';
import { serviceAccountOf } from '../objects/around.js';
import { labelsOf, selectorOf } from '../objects/pods.js';
import { mayBeReached, mayReachPod, ofPod } from '../objects/policies.js';
import { reachLabel, reachLabels } from '../objects/reach.js';
import { claimsOf, type FromCompose, podOf } from './container.js';
import { type Engine, engines, preparations } from './ports.js';

const defaultGraceSeconds = 30;
const graceOf = ({ stop_grace_period }: Service): number =>
  Number(/^(\d+)s$/.exec(stop_grace_period ?? '')?.[1] ?? defaultGraceSeconds);

const serviceOf = ({ name, ports }: Engine): IService => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels: labelsOf(name, 'engine') },
  spec: {
    selector: selectorOf(name),
    // MongoDB reaches itself by this name before it is ready
    publishNotReadyAddresses: true,
    ports: ports.map((port) => ({
      name: port.name,
      port: port.number,
      targetPort: port.name,
      ...(port.protocol === undefined ? {} : { protocol: port.protocol }),
    })),
  },
});

const statefulSetOf = (engine: Engine, source: FromCompose): IStatefulSet => {
  const { name, storage } = engine;
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, labels: labelsOf(name, 'engine') },
    spec: {
      serviceName: name,
      replicas: 1,
      selector: { matchLabels: selectorOf(name) },
      template: {
        metadata: { labels: { ...labelsOf(name, 'engine'), ...whatEnginesReach(name) } },
        spec: {
          ...podOf(source),
          serviceAccountName: name,
          terminationGracePeriodSeconds: graceOf(source.service),
        },
      },
      ...(storage === undefined
        ? {}
        : { volumeClaimTemplates: claimsOf(source).map((claim) => claimOf(claim, storage)) }),
    },
  };
};

const claimOf = (name: string, storage: string) => ({
  apiVersion: 'v1' as const,
  kind: 'PersistentVolumeClaim' as const,
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce' as const], resources: { requests: { storage } } },
});

/** LiveKit reports the events of its rooms to the gateway; media and calls come from and go to any address. */
const whatEnginesReach = (name: string): Record<string, string> => {
  if (name.startsWith('livekit')) return reachLabels(['gateway', 'internet']);
  return name.startsWith('sip') ? reachLabels(['internet']) : {};
};

const visitsTo = ({ name, as, ports, outsiders }: Engine): readonly INetworkPolicy[] => {
  const from = [
    ...(as === undefined ? [] : [{ podSelector: { matchLabels: reachLabel(as) } }]),
    ...outsiders.map(ofPod),
  ];
  if (from.length === 0) return [];
  return [
    mayBeReached(name, from, ports),
    ...outsiders.map((outsider) => mayReachPod(outsider, name, ports)),
  ];
};

const jobOf = (from: string, pod: IPodSpec): IJob => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: from, labels: labelsOf(from, 'job') },
  spec: {
    backoffLimit: 20,
    activeDeadlineSeconds: 900,
    ttlSecondsAfterFinished: 600,
    template: {
      metadata: { labels: labelsOf(from, 'job') },
      spec: { ...pod, serviceAccountName: from, restartPolicy: 'OnFailure' },
    },
  },
});

export interface ComposeParts {
  readonly services: Readonly<Record<string, Service>>;
  readonly isSecret: (name: string) => boolean;
  readonly configOf: Readonly<Record<string, string>>;
}

const serviceFrom = ({ services }: ComposeParts, name: string): Service => {
  const service = services[name];
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
};

/** One NATS server has no routes to others, so it is started otherwise than in the compose file. */
const alone = (name: string, service: Service): Service =>
  name === 'nats'
    ? {
        ...service,
        command: ['-c', '/etc/nats/nats.conf'],
        environment: Object.fromEntries(
          userNames
            .map(passwordVariableOf)
            .map((variable) => [variable, service.environment[variable] ?? null]),
        ),
      }
    : service;

/** By the file that they are written to. */
export const engineObjects = (parts: ComposeParts): Readonly<Record<string, readonly Manifest[]>> => {
  const source = (name: string, from: string, ports: Engine['ports']): FromCompose => ({
    name,
    service: alone(name, serviceFrom(parts, from)),
    ports,
    isSecret: parts.isSecret,
    configOf: parts.configOf,
  });
  return Object.fromEntries(
    engines.map((engine) => [
      engine.name,
      [
        serviceAccountOf(engine.name, 'engine'),
        serviceOf(engine),
        statefulSetOf(engine, source(engine.name, engine.from, engine.ports)),
        ...visitsTo(engine),
        ...preparations
          .filter(({ engine: prepared }) => prepared === engine.name)
          .flatMap(({ from }) => [serviceAccountOf(from, 'job'), jobOf(from, podOf(source(from, from, [])))]),
      ],
    ]),
  );
};
