// Everything that is generated, from the table, the schemas of variables and docker-compose.yml.
import { ComposeEnv, parseCompose, processes, variablesOf } from '@parlance/compose';
import { chartFiles } from './chart/chart.js';
import type { ComposeParts } from './engines/engine-objects.js';
import { natsChartValues } from './engines/nats-chart-values.js';
import { natsConfiguration } from './engines/nats-configuration.js';
import type { ExternalSecret, Manifest } from './manifest.js';
import { externalSecretFiles, externalSecretOf } from './overlays/external-secrets.js';
import type { OverlayFacts } from './overlays/facts.js';
import { baseFiles, type Files, type OverlayParts, overlayFiles } from './overlays/kustomizations.js';
import { monitoringComponent, monitoringObjects } from './overlays/monitoring.js';
import { baseObjects, objectsOfOverlay } from './overlays/objects.js';
import { eventStorePatch, production } from './overlays/production.js';
import { singleNode } from './overlays/single-node.js';
import { workloads } from './workloads/table.js';

export interface Sources {
  /** Text of docker-compose.yml. */
  readonly compose: string;
  /** Text of a file by its path from the root of the repository. */
  readonly read: (path: string) => string;
}

const secretNames = new Set(
  [ComposeEnv, ...processes.map(({ env }) => env)].flatMap((schema) =>
    variablesOf(schema)
      .filter(({ secret }) => secret === true)
      .map(({ name }) => name),
  ),
);

export const isSecret = (name: string): boolean => secretNames.has(name);

const composeParts = ({ compose }: Sources): ComposeParts => {
  const { file, problems } = parseCompose(compose);
  if (file === undefined) throw new Error(`docker-compose.yml ${problems.join('; ')}`);
  return {
    services: file.services,
    isSecret,
    configOf: {
      './deploy/compose/nats': 'nats-configuration',
      './deploy/compose/mongodb': 'mongodb-configuration',
    },
  };
};

const natsTag = (sources: Sources): string => {
  const { image = '' } = composeParts(sources).services['nats-1'] ?? {};
  return image.slice(image.indexOf(':') + 1);
};

const engineConfigurations = ({ read }: Sources): OverlayParts['configurations'] => ({
  'nats-configuration': { 'nats.conf': natsConfiguration },
  'mongodb-configuration': {
    'start.sh': read('deploy/compose/mongodb/start.sh'),
    'init.js': read('deploy/compose/mongodb/init.js'),
  },
});

export interface Overlay {
  readonly facts: OverlayFacts;
  readonly objects: Readonly<Record<string, readonly Manifest[]>>;
  readonly files: Files;
}

export interface Platform {
  readonly base: Readonly<Record<string, readonly Manifest[]>>;
  readonly overlays: readonly Overlay[];
  /** Of the component external-secrets. */
  readonly secret: ExternalSecret;
  /** Of the component monitoring, by file. */
  readonly monitoring: Readonly<Record<string, readonly Manifest[]>>;
  /** By path under deploy/kubernetes. */
  readonly files: Files;
}

const usesEventStore = workloads.filter(({ reaches }) => reaches.includes('eventstore'));

export const platform = (sources: Sources): Platform => {
  const base = baseObjects(processes);
  const overlay = (facts: OverlayFacts, parts: Omit<OverlayParts, 'objects'>): Overlay => {
    const objects = objectsOfOverlay(facts);
    return { facts, objects, files: overlayFiles(facts, { ...parts, objects }) };
  };
  const overlays = [
    overlay(singleNode(composeParts(sources)), {
      configurations: engineConfigurations(sources),
      patches: {},
    }),
    overlay(production, {
      configurations: {},
      patches: Object.fromEntries(
        usesEventStore.map(({ name }) => [`eventstore-of-${name}.yaml`, eventStorePatch(name)]),
      ),
    }),
  ];
  const inProduction = { ...base, ...objectsOfOverlay(production) };
  // optional in base, where a single node of EventStoreDB has no users
  const secret = externalSecretOf(Object.values(inProduction).flat(), ['EVENTSTORE_PASSWORD']);
  const monitoring = monitoringObjects();
  const files = Object.assign(
    {},
    baseFiles(base),
    ...overlays.map((overlaid) => overlaid.files),
    externalSecretFiles(secret),
    monitoringComponent(monitoring),
    chartFiles(production, inProduction),
    { 'engines/nats.yaml': natsChartValues(natsTag(sources)) },
  );
  return { base, overlays, secret, monitoring, files };
};
