// The chart rendered by Helm in several configurations. Skipped where `helm` is not on the PATH.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { migration, processes, runtimes, variablesOf } from '@parlance/compose';
import { loadEnv, newRootSecret, Secret } from '@parlance/config';
import { parseRegistry } from '@parlance/registry';
import { z } from 'zod';
import { type Manifest, manifestsIn, nameOf } from './chart/manifest.js';
import { findOnPath } from './chart/programs.js';
import { podProblems, podsOf } from './check/pods.js';
import { schemaProblems } from './check/schemas.js';
import { environmentProblems } from './check/variables.js';
import { currentSubject } from './index.js';
import { chart, helmTemplate, renderedFiles, root } from './render.js';
import { chartData, servicesText } from './services-file.js';

const helm = findOnPath('helm');
const open = `--values=${join(root, 'deploy/helm/examples/values-open.yaml')}`;
const singleNode = `--values=${join(chart, 'values-single-node.yaml')}`;

const render = (...args: readonly string[]): readonly Manifest[] => manifestsIn(helmTemplate(args));
const find = (manifests: readonly Manifest[], kind: string, name: string): Manifest => {
  const found = manifests.find((manifest) => manifest.kind === kind && nameOf(manifest) === name);
  if (found === undefined) throw new Error(`${kind} ${name} is not rendered`);
  return found;
};
const podOf = (manifests: readonly Manifest[], name: string) => {
  const pod = podsOf(manifests).find(({ owner }) => owner === name);
  if (pod === undefined) throw new Error(`${name} has no pod`);
  return pod;
};
const identities = (manifests: readonly Manifest[]): readonly string[] =>
  manifests.map((manifest) => `${manifest.kind} ${nameOf(manifest)}`);

const kmsClients = processes
  .filter(({ env }) => variablesOf(env).some(({ name }) => name === 'KMS_URL'))
  .map(({ name }) => name)
  .toSorted();

const folder = mkdtempSync(join(tmpdir(), 'parlance-chart-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

(helm === undefined ? describe.skip : describe)('the chart', () => {
  it.each([
    ['its defaults', []],
    ['the values for a single node', [singleNode]],
    ['every value opened', [open]],
  ])('renders with %s objects that fit the schemas of their kinds and the rules for pods', (_, args) => {
    const manifests = render(...args);
    expect(
      manifests.flatMap((manifest) =>
        schemaProblems(manifest).map((problem) => `${manifest.kind} ${nameOf(manifest)} ${problem}`),
      ),
    ).toEqual([]);
    expect(podProblems(manifests)).toEqual([]);
    expect(new Set(identities(manifests)).size).toBe(manifests.length);
  });

  it.each([[], [open], [singleNode]].map((args) => [args] as const))(
    'passes the lint of Helm with %j',
    (args) => {
      const command = ['lint', '--strict', '--kube-version=1.34.0', chart, ...args];
      const output = execFileSync(helm ?? 'helm', command, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      expect(output).toContain('0 chart(s) failed');
    },
  );

  it('opens the way to the key management service that the values name, for the processes that ask it', () => {
    expect(identities(render())).not.toContain('NetworkPolicy reach-kms');
    const policy = find(
      render('--set-json=networkPolicy.reach.kms.to=[{"ipBlock":{"cidr":"10.20.0.0/24"}}]'),
      'NetworkPolicy',
      'reach-kms',
    );
    expect(schemaProblems(policy)).toEqual([]);
    expect(policy).toMatchObject({
      spec: {
        podSelector: { matchExpressions: [{ key: 'app.kubernetes.io/name', values: kmsClients }] },
        policyTypes: ['Egress'],
        egress: [
          {
            to: [{ ipBlock: { cidr: '10.20.0.0/24' } }],
            ports: [
              { port: 443, protocol: 'TCP' },
              { port: 8200, protocol: 'TCP' },
            ],
          },
        ],
      },
    });
  });

  it('renders the plain manifests of this checkout', () => {
    const { renderings } = currentSubject();
    const rendered = (renderedFiles() ?? []).map(
      ({ path, content }) => [path, manifestsIn(content)] as const,
    );
    for (const name of ['single-node', 'production']) {
      const objects = rendered.flatMap(([path, manifests]) => (path.includes(`/${name}/`) ? manifests : []));
      expect(objects).toEqual(renderings[name]);
    }
  });

  it('has no object, selector or pod label in common between two releases in one namespace', () => {
    const [one, two] = ['one', 'two'].map((release) =>
      manifestsIn(helmTemplate([singleNode], chart, release)),
    );
    const names = new Set(identities(one ?? []));
    expect(identities(two ?? []).filter((identity) => names.has(identity))).toEqual([]);
    const labels = (manifests: readonly Manifest[] | undefined) =>
      podsOf(manifests ?? []).map((pod) => pod.labels['app.kubernetes.io/name']);
    expect(labels(one).filter((label) => labels(two).includes(label))).toEqual([]);
    const text = JSON.stringify(one?.filter(({ kind }) => kind !== 'ConfigMap'));
    const addresses = JSON.stringify(find(one ?? [], 'ConfigMap', 'one-engines'));
    expect(addresses).toContain('one-postgres:5432/parlance');
    const ofOther = /[^-.\w](postgres|nats|eventstore|mongodb|redis|livekit|s3|gateway):\d{4}/g;
    expect(`${text}${addresses}`.match(ofOther)).toBeNull();
  });

  it('gives a release with the name parlance the bare names of processes, and any other its prefix', () => {
    expect(identities(render())).toContain('Deployment gateway');
    expect(identities(render('--set=namePrefix=voice-'))).toContain('Deployment voice-gateway');
  });

  describe('with every value opened', () => {
    const manifests = helm === undefined ? [] : render(open);
    const pod = (name: string) => podOf(manifests, name).spec;

    it('pulls the image by its digest, with the policy and the secrets of the values', () => {
      for (const { spec, owner } of podsOf(manifests)) {
        expect([owner, spec.imagePullSecrets]).toEqual([owner, [{ name: 'registry' }]]);
        for (const { image, imagePullPolicy } of [...(spec.initContainers ?? []), ...spec.containers])
          expect({ image, imagePullPolicy }).toEqual({
            image: expect.stringMatching(/^registry\.example\.com\/voice\/parlance@sha256:[0-9a-f]{64}$/),
            imagePullPolicy: 'Always',
          });
      }
    });

    it('places pods as the values say, and as those of one process say for it', () => {
      expect(pod('widgets')).toMatchObject({
        nodeSelector: { pool: 'voice' },
        tolerations: [{ key: 'dedicated' }],
        affinity: { nodeAffinity: expect.anything() },
        priorityClassName: 'voice',
        topologySpreadConstraints: [
          {
            maxSkew: 2,
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { 'app.kubernetes.io/name': 'widgets' } },
          },
        ],
      });
      expect(pod('gateway')).toMatchObject({
        nodeSelector: { pool: 'voice', zone: 'edge' },
        priorityClassName: 'voice-edge',
      });
      expect(pod('knowledge').tolerations).toBeUndefined();
      expect(pod('migrate-1')).toMatchObject({ nodeSelector: { pool: 'voice' }, priorityClassName: 'voice' });
    });

    it('adds environment, volumes and mounts to those of the chart', () => {
      for (const name of ['widgets', 'provision-1']) {
        const [container] = pod(name).containers;
        expect(container?.env).toContainEqual({
          name: 'HTTPS_PROXY',
          value: 'http://proxy.example.com:3128',
        });
        expect(container?.envFrom).toContainEqual({ configMapRef: { name: 'voice-extra' } });
        expect(container?.volumeMounts).toContainEqual({
          name: 'extra',
          mountPath: '/extra',
          readOnly: true,
        });
        expect(pod(name).volumes).toContainEqual({ name: 'extra', configMap: { name: 'voice-files' } });
      }
      expect(pod('gateway').containers[0]?.env).toContainEqual({ name: 'EDGE', value: 'yes' });
    });

    it('annotates and labels pods, service accounts and services', () => {
      expect(find(manifests, 'Deployment', 'gateway')).toMatchObject({
        metadata: { labels: { team: 'voice' } },
        spec: {
          template: { metadata: { annotations: { 'example.com/pod': 'edge' }, labels: { tier: 'voice' } } },
        },
      });
      expect(find(manifests, 'ServiceAccount', 'gateway').metadata).toMatchObject({
        annotations: {
          'eks.amazonaws.com/role-arn': 'arn:aws:iam::123456789012:role/voice',
          'example.com/account': 'edge',
        },
        labels: { identity: 'voice' },
      });
      expect(find(manifests, 'ServiceAccount', 'migrate').metadata?.annotations).toMatchObject({
        'helm.sh/hook': 'pre-upgrade',
        'eks.amazonaws.com/role-arn': expect.anything(),
      });
      expect(find(manifests, 'Service', 'gateway')).toMatchObject({
        metadata: { annotations: { 'example.com/service': 'voice' } },
        spec: { type: 'NodePort' },
      });
    });

    it('bounds replicas and resources as the values say', () => {
      const scaled = (kind: string, name: string) => find(manifests, kind, name);
      expect(find(manifests, 'Deployment', 'widgets')).toMatchObject({ spec: { replicas: 5 } });
      expect(scaled('HorizontalPodAutoscaler', 'gateway')).toMatchObject({
        spec: { minReplicas: 4, maxReplicas: 20 },
      });
      expect(scaled('HorizontalPodAutoscaler', 'calls-logs')).toMatchObject({
        spec: {
          minReplicas: 3,
          maxReplicas: 9,
          metrics: [{ resource: { target: { averageUtilization: 70 } } }],
        },
      });
      expect(scaled('ScaledObject', 'mcp-hub')).toMatchObject({
        spec: { triggers: [{ metadata: { serverAddress: 'http://prometheus.example.com:9090' } }] },
      });
      expect(identities(manifests)).not.toContain('ScaledObject knowledge');
      expect(find(manifests, 'Deployment', 'knowledge')).toMatchObject({ spec: { replicas: 2 } });
      expect(find(manifests, 'Deployment', 'gateway')).not.toHaveProperty('spec.replicas');
      expect(pod('calls-logs').containers[0]?.resources).toEqual({
        requests: { cpu: '900m', memory: '512Mi' },
        limits: { cpu: '2', memory: '1Gi' },
      });
      expect(find(manifests, 'PodDisruptionBudget', 'widgets')).toMatchObject({
        spec: { maxUnavailable: '50%' },
      });
    });

    it('takes the names of the Secret, the host and the engines from the values', () => {
      const text = JSON.stringify(manifests);
      expect(text).not.toContain('"secretKeyRef":{"name":"parlance"');
      expect(text).toContain('"secretKeyRef":{"name":"voice-secrets"');
      expect(text).toContain('"secretName":"voice-authorities"');
      expect(text).toContain('esdb://voice:$(EVENTSTORE_PASSWORD)@');
      expect(find(manifests, 'ConfigMap', 'parlance')).toMatchObject({
        data: { PUBLIC_URL: 'https://voice.example.com', TRUST_PROXY_HOPS: '2', KEK_ID: 'kek-1' },
      });
      expect(find(manifests, 'HTTPRoute', 'gateway')).toMatchObject({
        spec: { hostnames: ['voice.example.com'], parentRefs: [{ name: 'public', sectionName: 'https' }] },
      });
      expect(find(manifests, 'Ingress', 'gateway')).toMatchObject({
        spec: { ingressClassName: 'traefik', tls: [{ secretName: 'voice-tls' }] },
      });
    });

    it('brings the monitoring of every process, under the job that the alerts know', () => {
      const monitor = z
        .looseObject({
          metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
          spec: z.looseObject({
            selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
            podMetricsEndpoints: z.array(
              z.looseObject({ port: z.string(), relabelings: z.array(z.unknown()) }),
            ),
          }),
        })
        .parse(find(manifests, 'PodMonitor', 'parlance'));
      expect(monitor.metadata.labels.release).toBe('monitoring');
      const [endpoint] = monitor.spec.podMetricsEndpoints;
      for (const { name } of currentSubject().registry.processes) {
        const { labels, spec } = podOf(manifests, name);
        expect(labels).toMatchObject(monitor.spec.selector.matchLabels);
        expect(spec.containers[0]?.ports?.map((port) => port.name)).toContain(endpoint?.port);
      }
      const rules = JSON.stringify(find(manifests, 'PrometheusRule', 'parlance'));
      const jobs = new Set([...rules.matchAll(/\bjob=\\"([^"\\]+)/g)].map(([, job]) => job));
      expect([...jobs]).toEqual(['parlance']);
      expect(endpoint?.relabelings).toContainEqual({ targetLabel: 'job', replacement: 'parlance' });
      expect(identities(manifests)).toContain('ConfigMap board-parlance-overview');
    });

    it('fills the Secret from a store, with every key that a pod does not start without and all others beside', () => {
      const keys = podsOf(manifests)
        .flatMap(({ spec }) => spec.containers.flatMap(({ env = [] }) => env))
        .flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])
        .filter(({ optional }) => optional !== true)
        .map(({ key }) => key);
      const secret = find(manifests, 'ExternalSecret', 'voice-secrets');
      const { spec } = z
        .looseObject({ spec: z.looseObject({ data: z.array(z.looseObject({ secretKey: z.string() })) }) })
        .parse(secret);
      const filled = spec.data.map(({ secretKey }) => secretKey);
      expect(filled.toSorted()).toEqual([...new Set(keys)].toSorted());
      expect(secret).toMatchObject({ spec: { dataFrom: [{ extract: { key: 'voice/production' } }] } });
    });
  });

  describe('with one root secret', () => {
    const manifests =
      helm === undefined
        ? []
        : render('--set=rootSecret=true', '--set=settings.OBJECT_STORAGE_ACCESS_KEY_ID=storage-account');
    const ConfigMap = z.looseObject({ data: z.record(z.string(), z.string()).default({}) });
    const configured = () =>
      ['parlance', 'parlance-engines'].map(
        (name) => ConfigMap.parse(find(manifests, 'ConfigMap', name)).data,
      );

    it('needs the keys of the Secret that cannot be derived, and no others', () => {
      const references = podsOf(manifests)
        .flatMap(({ spec }) => spec.containers.flatMap(({ env = [] }) => env))
        .flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
      const required = references.filter(({ optional }) => optional !== true).map(({ key }) => key);
      expect([...new Set(required)].toSorted()).toEqual(['EVENTSTORE_PASSWORD', 'ROOT_SECRET']);
    });

    it('gives every process an environment that it starts with, with its own derived passwords', () => {
      const [settings = {}, engines = {}] = configured();
      const secret: Readonly<Record<string, string>> = {
        ROOT_SECRET: newRootSecret(),
        EVENTSTORE_PASSWORD: 'from-the-cluster',
        OBJECT_STORAGE_SECRET_ACCESS_KEY: 'a secret of the object storage',
      };
      for (const { name, env: schema } of processes.filter(({ isOneShot }) => isOneShot !== true)) {
        const variables: Record<string, string> = { ...settings, ...engines };
        for (const { name: variable, value, valueFrom } of podOf(manifests, name).spec.containers[0]?.env ??
          []) {
          const found =
            value ??
            engines[valueFrom?.configMapKeyRef?.key ?? ''] ??
            secret[valueFrom?.secretKeyRef?.key ?? ''];
          if (found === undefined) continue;
          variables[variable] = found.replaceAll(
            /\$\((\w+)\)/g,
            (text, own: string) => variables[own] ?? text,
          );
        }
        const { POSTGRES_URL } = loadEnv(schema, variables);
        const { username, password } = new URL(
          String(POSTGRES_URL instanceof Secret ? POSTGRES_URL.reveal() : ''),
        );
        expect([name, username, password]).toEqual([
          name,
          name.replaceAll('-', '_'),
          expect.stringMatching(/^[0-9a-f]{48}$/),
        ]);
      }
    });
  });

  it('has every object of a process that is a row in the registry and nothing else', async () => {
    const { registry } = currentSubject();
    const billing = {
      name: 'billing',
      folder: 'services/billing',
      package: '@parlance/billing',
      role: 'billing',
      reaches: ['postgres', 'nats', 'telemetry'],
    };
    const extended = parseRegistry(
      JSON.stringify({ ...registry, processes: [...registry.processes, billing] }),
    );
    const env = processes.find(({ name }) => name === 'widgets')?.env ?? z.object({});
    const copy = join(folder, 'chart');
    await cp(chart, copy, { recursive: true, dereference: true });
    const data = chartData(extended, [...processes, ...runtimes, migration, { name: 'billing', env }]);
    writeFileSync(join(copy, 'files/services.json'), servicesText(data));
    const manifests = manifestsIn(helmTemplate(['--set=processes.billing.replicas=3'], copy));
    const added = identities(manifests).filter((identity) => !identities(render()).includes(identity));
    expect(added).toEqual(['PodDisruptionBudget billing', 'ServiceAccount billing', 'Deployment billing']);
    expect(find(manifests, 'Deployment', 'billing')).toMatchObject({ spec: { replicas: 3 } });
    expect(podOf(manifests, 'billing').labels).toMatchObject({ 'reaches-nats': 'yes' });
    expect(JSON.stringify(podOf(manifests, 'billing'))).toContain('nats://billing:$(NATS_PASSWORD)@');
    expect(environmentProblems([{ name: 'billing', env }], manifests)).toEqual([]);
  });

  it.each([
    ['a value that it does not know', '--set=imgae.tag=1', "additional properties 'imgae' not allowed"],
    [
      'no replicas',
      '--set=processes.widgets.replicas=0',
      "at '/processes/widgets/replicas': minimum: got 0, want 1",
    ],
    [
      'a wrong type',
      '--set-json=settings.TRUST_PROXY_HOPS=1',
      "'/settings/TRUST_PROXY_HOPS': got number, want string",
    ],
    [
      'a port that is none',
      '--set-json=networkPolicy.reach.nats.ports=[{"port":0}]',
      'minimum: got 0, want 1',
    ],
    [
      'a process that is none',
      '--set=processes.wdgets.replicas=2',
      'processes.wdgets: there is no process or job with',
    ],
    [
      'a secret among the settings',
      '--set=settings.KEK=x',
      'KEK is a secret: put it into the Secret parlance',
    ],
    [
      'a setting without a value',
      '--set=settings.KEK_ID=',
      'settings.KEK_ID has no value, and processes do not start',
    ],
    ['an engine without an address', '--set=engines.NATS_ADDRESS=', 'engines.NATS_ADDRESS has no value'],
    [
      'an autoscaler without a target',
      '--set=processes.widgets.autoscaling.enabled=true',
      'processes.widgets.autoscaling needs targetCPUUtilizationPercentage',
    ],
  ])('refuses %s in a sentence that names it', (_, argument, sentence) => {
    expect(() => render(argument)).toThrow(sentence);
  });
});
