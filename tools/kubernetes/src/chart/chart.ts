// A thin Helm chart of the same objects as the overlay for production. Expressions stand for the values that differ
// between installations.
import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1';
import type { IDeployment, IIngress, IJob, INetworkPolicy, IScaledObject, Manifest } from '../manifest.js';
import { prometheusAddress } from '../objects/around.js';
import { platformImage } from '../objects/pods.js';
import type { OverlayFacts } from '../overlays/facts.js';
import type { Files } from '../overlays/kustomizations.js';
import { annotations } from '../overlays/objects.js';
import { engineAddressesName, eventStoreOfCluster, settingsName } from '../workloads/environment.js';
import { generatedLine, yamlOf } from '../yaml.js';
import { expression, templateOf } from './placeholder.js';
import { defaultValues, type Values, valuesSchema } from './values.js';

const image = expression('printf "%s:%s" .Values.image.repository .Values.image.tag | quote');
const checksum = expression('include (print $.Template.BasePath "/config.yaml") . | sha256sum');

/** A chart has no hash in the names of its ConfigMaps, so a change of them shows in the pods. */
const deployment = (object: IDeployment, facts: OverlayFacts): object => {
  const name = object.metadata?.name ?? '';
  const template = object.spec?.template;
  const pod = template?.spec;
  const isOnCluster = (variable: string): boolean =>
    eventStoreOfCluster.some((known) => known.name === variable);
  return {
    ...object,
    spec: {
      ...(facts.copies[name] === undefined ? {} : { replicas: expression(`index .Values.copies "${name}"`) }),
      ...object.spec,
      template: {
        ...template,
        metadata: { ...template?.metadata, annotations: { 'checksum/config': checksum } },
        spec: {
          ...pod,
          initContainers: pod?.initContainers?.map((container) => ({ ...container, image })),
          containers: pod?.containers.map((container) => ({
            ...container,
            image,
            env: container.env?.some((variable) => variable.name === 'EVENTSTORE_URL')
              ? [...eventStoreOfCluster, ...container.env.filter((variable) => !isOnCluster(variable.name))]
              : container.env,
          })),
        },
      },
    },
  };
};

/** An upgrade waits for the schemas. A first installation has no ConfigMap before it, and its processes migrate by themselves. */
const beforeUpgrades = {
  'helm.sh/hook': 'pre-upgrade',
  'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
};

/** Before its job, because the release before may have none. */
const hookAccount = (object: Manifest): object => ({
  ...object,
  metadata: {
    ...object.metadata,
    annotations: {
      'helm.sh/hook': 'pre-upgrade',
      'helm.sh/hook-weight': '-1',
      'helm.sh/hook-delete-policy': 'before-hook-creation',
    },
  },
});

/** A job cannot be changed, so each release has its own. */
const job = (object: IJob): object => ({
  ...object,
  metadata: {
    ...object.metadata,
    name: expression(`printf "${object.metadata?.name}-%d" .Release.Revision`),
    ...(object.metadata?.name === 'migrate' ? { annotations: beforeUpgrades } : {}),
  },
  spec: {
    ...object.spec,
    template: {
      ...object.spec?.template,
      spec: {
        ...object.spec?.template.spec,
        containers: object.spec?.template.spec?.containers.map((container) => ({ ...container, image })),
      },
    },
  },
});

const policy = (object: INetworkPolicy, facts: OverlayFacts): object => {
  const name = object.metadata?.name ?? '';
  const [direction, about = ''] = [name.split('-')[0], name.slice(name.indexOf('-') + 1)];
  if (direction === 'reach' && about in facts.reached) {
    const values = `(index .Values.reach "${about}")`;
    return {
      ...object,
      spec: {
        ...object.spec,
        egress: [
          {
            to: expression(`toYaml ${values}.to | nindent 8`),
            ports: expression(`toYaml ${values}.ports | nindent 8`),
          },
        ],
      },
    };
  }
  if (direction !== 'visit' || about === 'ops') return object;
  const ports = object.spec?.ingress?.[0]?.ports;
  return {
    ...object,
    spec: {
      ...object.spec,
      ingress: [{ from: expression(`toYaml (index .Values.visits "${about}").from | nindent 8`), ports }],
    },
  };
};

const ingress = (object: IIngress): object => ({
  ...object,
  metadata: { ...object.metadata, annotations: expression('toYaml .Values.ingress.annotations | nindent 4') },
  spec: {
    ...object.spec,
    ingressClassName: expression('.Values.ingress.className | quote'),
    tls: [
      {
        hosts: [expression('.Values.host | quote')],
        secretName: expression('.Values.ingress.tlsSecretName | quote'),
      },
    ],
    rules: [{ ...object.spec?.rules?.[0], host: expression('.Values.host | quote') }],
  },
});

const scaledObject = (object: IScaledObject): object => ({
  ...object,
  spec: {
    ...object.spec,
    triggers: object.spec?.triggers.map((trigger) => ({
      ...trigger,
      metadata: { ...trigger.metadata, serverAddress: expression('.Values.keda.prometheus | quote') },
    })),
  },
});

const withExpressions =
  (facts: OverlayFacts) =>
  (object: Manifest): object => {
    switch (object.kind) {
      case 'Deployment':
        return deployment(object, facts);
      case 'Job':
        return job(object);
      case 'ServiceAccount':
        return object.metadata?.name === 'migrate' ? hookAccount(object) : object;
      case 'NetworkPolicy':
        return policy(object, facts);
      case 'Ingress':
        return ingress(object);
      case 'ScaledObject':
        return scaledObject(object);
      default:
        return object;
    }
  };

const configuration = `${generatedLine}${[
  [settingsName, 'settings'],
  [engineAddressesName, 'engines'],
]
  .map(
    ([name, values]) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata: {{ toYaml .Values.${values} | nindent 2 }}\n`,
  )
  .join('---\n')}`;

const about = {
  apiVersion: 'v2',
  name: 'parlance',
  description: 'A self-hosted platform for voice agents. Its engines run elsewhere.',
  type: 'application',
  version: platformImage.split(':')[1],
  appVersion: platformImage.split(':')[1],
  kubeVersion: '>=1.30.0-0',
};

const onlyIf = (condition: string, text: string): string => `{{- if ${condition} }}\n${text}{{- end }}\n`;

/** Without the namespace, which Helm makes and which has to have the label of the Pod Security Standard. */
const templates = (
  objects: Readonly<Record<string, readonly Manifest[]>>,
  facts: OverlayFacts,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(objects)
      .filter(([file]) => file !== 'namespace.yaml')
      .map(([file, manifests]) => {
        const text = templateOf(manifests.map(withExpressions(facts)));
        if (file === 'ingress.yaml') return [file, onlyIf('.Values.ingress.enabled', text)];
        return [file, file === 'keda.yaml' ? onlyIf('.Values.keda.enabled', text) : text];
      }),
  );

const visitsOf = (objects: readonly Manifest[]): Values['visits'] =>
  Object.fromEntries(
    objects.flatMap((object) => {
      const name = object.metadata?.name ?? '';
      if (object.kind !== 'NetworkPolicy' || !name.startsWith('visit-') || name === 'visit-ops') return [];
      const from: readonly INetworkPolicyPeer[] = object.spec?.ingress?.[0]?.from ?? [];
      return [[name.slice('visit-'.length), { from: from.map((peer) => ({ ...peer })) }]];
    }),
  );

export const chartFiles = (
  facts: OverlayFacts,
  objects: Readonly<Record<string, readonly Manifest[]>>,
): Files => ({
  'chart/Chart.yaml': generatedLine + yamlOf(about),
  'chart/values.yaml':
    generatedLine +
    yamlOf(
      defaultValues(facts, {
        ingress: { enabled: true, className: 'nginx', annotations, tlsSecretName: 'gateway-tls' },
        keda: { enabled: true, prometheus: prometheusAddress },
        visits: visitsOf(Object.values(objects).flat()),
      }),
    ),
  'chart/values.schema.json': valuesSchema(),
  'chart/templates/config.yaml': configuration,
  ...Object.fromEntries(
    Object.entries(templates(objects, facts)).map(([file, text]) => [`chart/templates/${file}`, text]),
  ),
});
