// A service of docker-compose.yml as a container: the same image, user, command, limits and health check.
import { imageOf, type Service } from '@parlance/compose';
import type { IContainer, IPodSpec, IVolume } from 'kubernetes-models/v1';
import { confinedContainer, confinedPod } from '../objects/pods.js';
import { environmentFrom, translate } from './compose-text.js';
import type { Port } from './ports.js';

export interface FromCompose {
  readonly name: string;
  readonly service: Service;
  readonly ports: readonly Port[];
  readonly isSecret: (name: string) => boolean;
  /** ConfigMap by the folder that the compose file mounts. */
  readonly configOf: Readonly<Record<string, string>>;
}

const mebibytes = (memory: string): string => memory.replace(/^(\d+)([MG])$/, '$1$2i');

const listOf = (value: string | readonly string[] | undefined): readonly string[] => {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
};

const translatedList = (value: string | readonly string[] | undefined) => {
  const parts = listOf(value).map(translate);
  return { texts: parts.map(({ text }) => text), takes: parts.flatMap(({ takes }) => takes) };
};

interface Mounted {
  readonly volume?: IVolume;
  readonly mount: NonNullable<IContainer['volumeMounts']>[number];
}

const sharedMemory = ({ shm_size }: Service): readonly Mounted[] => {
  if (shm_size === undefined) return [];
  const name = 'shared-memory';
  const sizeLimit = mebibytes(shm_size.toUpperCase());
  return [
    { volume: { name, emptyDir: { medium: 'Memory', sizeLimit } }, mount: { name, mountPath: '/dev/shm' } },
  ];
};

const mounted = ({ service, configOf }: FromCompose): readonly Mounted[] => [
  ...service.volumes.map((text): Mounted => {
    const [source = '', mountPath = ''] = text.split(':');
    const config = configOf[source];
    if (config === undefined) return { mount: { name: source, mountPath } };
    return {
      volume: { name: config, configMap: { name: config } },
      mount: { name: config, mountPath, readOnly: true },
    };
  }),
  ...service.tmpfs.map((text, index): Mounted => {
    const [mountPath = ''] = text.split(':');
    const name = `scratch-${index}`;
    return { volume: { name, emptyDir: { sizeLimit: '64Mi' } }, mount: { name, mountPath } };
  }),
  ...sharedMemory(service),
];

/** Named volumes of the compose file, which become claims. */
export const claimsOf = ({ service, configOf }: FromCompose): readonly string[] =>
  service.volumes.map((text) => text.split(':')[0] ?? '').filter((source) => configOf[source] === undefined);

const probes = ({
  healthcheck,
}: Service): Pick<IContainer, 'startupProbe' | 'readinessProbe' | 'livenessProbe'> => {
  if (healthcheck === undefined) return {};
  const [kind, ...rest] = healthcheck.test;
  const exec = { command: kind === 'CMD-SHELL' ? ['sh', '-c', ...rest] : rest };
  return {
    startupProbe: { exec, periodSeconds: 5, timeoutSeconds: 10, failureThreshold: 60 },
    readinessProbe: { exec, periodSeconds: 10, timeoutSeconds: 10 },
    livenessProbe: { exec, periodSeconds: 30, timeoutSeconds: 20, failureThreshold: 6 },
  };
};

const [defaultUser, defaultGroup] = [1000, 1000];

/** The parts of a pod's spec that every kind of workload has. */
export const podOf = (source: FromCompose): IPodSpec => {
  const { name, service, ports, isSecret } = source;
  const [user = defaultUser, group = defaultGroup] = (service.user ?? '')
    .split(':')
    .filter(Boolean)
    .map(Number);
  const entrypoint = translatedList(service.entrypoint);
  const command = translatedList(service.command);
  const limits = service.deploy?.resources.limits;
  const all = mounted(source);
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: confinedPod(user, group),
    containers: [
      {
        name,
        image: imageOf(service) ?? '',
        ...(entrypoint.texts.length === 0 ? {} : { command: entrypoint.texts }),
        ...(command.texts.length === 0 ? {} : { args: command.texts }),
        env: environmentFrom(service.environment, [...entrypoint.takes, ...command.takes], isSecret),
        ports: ports.map((port) => ({
          name: port.name,
          containerPort: port.number,
          ...(port.protocol === undefined ? {} : { protocol: port.protocol }),
        })),
        ...probes(service),
        securityContext: { ...confinedContainer, readOnlyRootFilesystem: service.read_only === true },
        resources: {
          requests: { cpu: '50m', memory: '128Mi' },
          ...(limits === undefined ? {} : { limits: { cpu: limits.cpus, memory: mebibytes(limits.memory) } }),
        },
        volumeMounts: all.map(({ mount }) => mount),
      },
    ],
    volumes: all.flatMap(({ volume }) => volume ?? []),
  };
};
