// The kustomization of base and of each overlay, and the files beside them.
import type { Manifest } from '../manifest.js';
import { platformImage } from '../objects/pods.js';
import { engineAddressesName, settingsName } from '../workloads/environment.js';
import { envFile, generatedLine, manifestsFile, yamlOf } from '../yaml.js';
import type { OverlayFacts } from './facts.js';

export type Files = Readonly<Record<string, string>>;

const header = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' };
const kustomization = (content: object): string => generatedLine + yamlOf({ ...header, ...content });

const filesOf = (folder: string, objects: Readonly<Record<string, readonly Manifest[]>>): Files =>
  Object.fromEntries(
    Object.entries(objects).map(([file, manifests]) => [`${folder}/${file}`, manifestsFile(manifests)]),
  );

export const baseFiles = (objects: Readonly<Record<string, readonly Manifest[]>>): Files => ({
  ...filesOf('base', objects),
  'base/kustomization.yaml': kustomization({ resources: Object.keys(objects) }),
});

export interface OverlayParts {
  readonly objects: Readonly<Record<string, readonly Manifest[]>>;
  /** Configuration files of engines, by ConfigMap and file. */
  readonly configurations: Readonly<Record<string, Files>>;
  /** Strategic merge patches, by file. */
  readonly patches: Readonly<Record<string, object>>;
}

const [imageName = '', imageTag = ''] = platformImage.split(':');

const generators = (configurations: OverlayParts['configurations']) => [
  { name: settingsName, envs: ['settings.env'] },
  { name: engineAddressesName, envs: ['engines.env'] },
  ...Object.entries(configurations).map(([name, files]) => ({
    name,
    files: Object.keys(files).map((file) => `engines/${name}/${file}`),
  })),
];

export const overlayFiles = (
  facts: OverlayFacts,
  { objects, configurations, patches }: OverlayParts,
): Files => {
  const folder = `overlays/${facts.name}`;
  const copies = Object.entries(facts.copies).map(([name, count]) => ({ name, count }));
  return {
    ...filesOf(folder, objects),
    ...Object.fromEntries(
      Object.entries(patches).map(([file, patch]) => [`${folder}/${file}`, generatedLine + yamlOf(patch)]),
    ),
    ...Object.fromEntries(
      Object.entries(configurations).flatMap(([name, files]) =>
        Object.entries(files).map(([file, text]) => [`${folder}/engines/${name}/${file}`, text]),
      ),
    ),
    [`${folder}/settings.env`]: envFile(
      '# Settings; .env.example in the root describes each.\n',
      facts.settings,
    ),
    [`${folder}/engines.env`]: envFile('# Where the engines are, without passwords.\n', facts.engines),
    [`${folder}/kustomization.yaml`]: kustomization({
      namespace: 'parlance',
      resources: ['../../base', ...Object.keys(objects)],
      ...(copies.length === 0 ? {} : { replicas: copies }),
      ...(Object.keys(patches).length === 0
        ? {}
        : { patches: Object.keys(patches).map((path) => ({ path })) }),
      images: [{ name: imageName, newName: imageName, newTag: imageTag }],
      configMapGenerator: generators(configurations),
    }),
  };
};
