// The plain manifests against a real API server, with its admission, its controllers and its scheduler. Skipped where those programs
// are not on the PATH. No container runs: kwok says of every pod that it does.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { z } from 'zod';
import type { INetworkPolicy, Manifest } from './chart/manifest.js';
import { findPrograms } from './chart/programs.js';
import { podProblems } from './check/pods.js';
import { currentSubject, workloads } from './index.js';
import { root } from './render.js';
import { Cluster } from './testing/cluster.js';
import { disks, kindsOfOperators, namespace, networkToPut, nodes } from './testing/fixtures.js';
import { secretFile } from './testing/secret-file.js';
import { brokenImage } from './testing/stages.js';

const programs = findPrograms();
const here = join(root, 'deploy/kubernetes/');

const Named = z.looseObject({
  metadata: z.looseObject({ name: z.string(), generation: z.number().optional() }),
});
const Pods = z.object({
  items: z.array(
    z.looseObject({
      metadata: z.looseObject({ name: z.string() }),
      spec: z.looseObject({ nodeName: z.string() }),
    }),
  ),
});
const Budgets = z.object({
  items: z.array(
    z.looseObject({
      status: z.looseObject({ expectedPods: z.number(), disruptionsAllowed: z.number() }),
    }),
  ),
});
const Autoscalers = z.object({
  items: z.array(
    z.looseObject({
      status: z.looseObject({
        conditions: z.array(z.looseObject({ type: z.string(), status: z.string() })),
      }),
    }),
  ),
});

/** Servers of 1.34.0 and 1.34.1 warn about every headless service, even a correct one (kubernetes/kubernetes#134040). */
/** The network that an installation names where production leaves it open. */
const nodesNetwork = '192.0.2.0/24';

const withoutServersFault = (stderr: string): string =>
  stderr.replace('Warning: spec.SessionAffinity is ignored for headless services\n', '');

describe.each(['single-node', 'production'] as const)('the manifests in %s', (name) => {
  // one cluster for each, because both live in the namespace parlance
  (programs === undefined ? describe.skip : describe)('at a real API server', () => {
    let cluster: Cluster;
    const manifests = currentSubject().renderings[name] ?? [];
    const inNamespace = (...args: readonly string[]) => cluster.kubectl('--namespace=parlance', ...args);
    const json = async (...args: readonly string[]): Promise<unknown> =>
      JSON.parse((await inNamespace('get', ...args, '--output=json')).stdout);
    let built = '';

    const apply = () =>
      cluster.kubectl(
        'apply',
        '--server-side',
        '--validate=strict',
        '--filename',
        cluster.file('overlay.yaml', built),
      );

    beforeAll(async () => {
      // nothing of a skipped group runs
      if (programs === undefined) throw new Error('the programs of a cluster are not installed');
      cluster = new Cluster(programs);
      await cluster.start();
      for (const [file, text] of Object.entries({
        nodes: nodes(),
        disks: disks(15),
        kinds: kindsOfOperators(),
      }))
        await cluster.kubectl('apply', '--server-side', '--filename', cluster.file(`${file}.yaml`, text));
      const { stdout } = await cluster.kubectl('kustomize', `${here}${name}`);
      built = stdout.replaceAll(networkToPut, nodesNetwork);
      await cluster.kubectl('wait', '--for=condition=Ready', 'node', '--all', '--timeout=60s');
      await cluster.kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s');
    });
    afterAll(() => cluster?.stop());

    it('is applied by the server without a refusal or a warning', async () => {
      const { stdout, stderr } = await apply();
      expect(stderr).toBe('');
      expect(stdout).toContain('deployment.apps/gateway serverside-applied');
    });

    // A trial run looks for the namespace, which is there now.
    if (name === 'production')
      it('is refused until the network of its nodes is named, and the refusal says so', async () => {
        const written = cluster.file('written.yaml', built.replaceAll(nodesNetwork, networkToPut));
        await expect(
          cluster.kubectl('apply', '--server-side', '--dry-run=server', '--filename', written),
        ).rejects.toThrow(networkToPut);
      });

    if (name === 'production')
      it('takes the changes of the overlay that docs/kubernetes.md shows, and names its network everywhere', async () => {
        const page = readFileSync(join(root, 'docs/kubernetes.md'), 'utf8');
        const [overlay = ''] = /^apiVersion: kustomize\.config[\s\S]*?(?=^```)/m.exec(page) ?? [];
        cluster.file(
          'kustomization.yaml',
          overlay.replace('../parlance/deploy', relative(cluster.folder, `${root}deploy`)),
        );
        const { stdout } = await cluster.kubectl('kustomize', cluster.folder);
        expect(stdout).toContain('cidr: 10.20.0.0/16');
        expect(stdout).not.toContain(networkToPut);
        expect(stdout).toContain('PUBLIC_URL: https://voice.example.com');
        expect(stdout).toContain('KEK_ID: kek-1');
      });

    it('finds every key that it needs in the Secret of derived credentials, and in its own lists', async () => {
      const values = secretFile();
      // users of the event store are made with its cluster
      const more = name === 'production' ? 'EVENTSTORE_PASSWORD=from-the-cluster\n' : '';
      const file = cluster.file('secret.env', values + more);
      await inNamespace('create', 'secret', 'generic', 'parlance', `--from-env-file=${file}`);
      const Keys = z.object({ data: z.record(z.string(), z.string()) });
      const secret = Keys.parse(await json('secret', 'parlance')).data;
      const List = z.object({ items: z.array(z.unknown()) });
      const pods = List.parse(await json('deployments,statefulsets,jobs'));
      const References = z.array(
        z.object({ name: z.string(), key: z.string(), optional: z.boolean().optional() }),
      );
      const found: Record<'secretKeyRef' | 'configMapKeyRef', unknown[]> = {
        secretKeyRef: [],
        configMapKeyRef: [],
      };
      JSON.stringify(pods, (key, value: unknown) => {
        if (key === 'secretKeyRef' || key === 'configMapKeyRef') found[key].push(value);
        return value;
      });
      const required = (list: unknown[]) =>
        References.parse(list).filter(({ optional }) => optional !== true);
      expect(required(found.secretKeyRef).filter(({ key }) => (secret[key] ?? '') === '')).toEqual([]);
      const maps = z
        .object({ items: z.array(Named.extend(Keys.shape)) })
        .parse(await json('configmaps')).items;
      const isThere = ({ name: map, key }: { name: string; key: string }): boolean =>
        maps.some(({ metadata, data }) => metadata.name === map && data[key] !== undefined);
      expect(required(found.configMapKeyRef).filter((reference) => !isThere(reference))).toEqual([]);
    });

    it('rolls out: every pod passes admission, is placed, and its workload is complete', async () => {
      const { stdout } = await inNamespace('get', 'deployments,statefulsets', '--output=name');
      for (const workload of stdout.trim().split('\n'))
        await inNamespace('rollout', 'status', workload, '--timeout=120s');
      await inNamespace('wait', '--for=condition=Complete', 'job', '--all', '--timeout=120s');
    });

    it('spreads replicas over nodes', async () => {
      const { items } = Pods.parse(await json('pods', '--selector=app.kubernetes.io/name=gateway'));
      expect(new Set(items.map(({ spec }) => spec.nodeName)).size).toBe(items.length);
    });

    it('binds disruption budgets that cover the replicas of each process and let one be evicted', async () => {
      await eventually(async () => {
        const { items } = Budgets.parse(await json('poddisruptionbudgets'));
        expect(items).toHaveLength(workloads.length);
        for (const { status } of items) {
          expect(status.expectedPods).toBeGreaterThan(0);
          expect(status.disruptionsAllowed).toBe(1);
        }
      });
    });

    it('binds autoscalers to what they scale', async () => {
      const scaled = manifests.filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
      await eventually(async () => {
        const { items } = Autoscalers.parse(await json('horizontalpodautoscalers'));
        expect(items).toHaveLength(scaled.length);
        for (const { status } of items)
          expect(status.conditions).toContainEqual(
            expect.objectContaining({ type: 'AbleToScale', status: 'True' }),
          );
      });
    });

    it('has the policies that the matrix was computed from, and variables in an order that Kubernetes understands', async () => {
      const policies: { items: INetworkPolicy[] } = JSON.parse(
        (await inNamespace('get', 'networkpolicies', '--output=json')).stdout,
      );
      const written = manifests.flatMap((manifest) => (manifest.kind === 'NetworkPolicy' ? [manifest] : []));
      const computed: typeof written = JSON.parse(
        JSON.stringify(written).replaceAll(networkToPut, nodesNetwork),
      );
      const byName = (list: readonly INetworkPolicy[]) =>
        Object.fromEntries(list.map(({ metadata, spec }) => [metadata?.name, spec]));
      expect(byName(policies.items)).toEqual(byName(computed));
      const owners: { items: Manifest[] } = JSON.parse(
        (await inNamespace('get', 'deployments,statefulsets,jobs', '--output=json')).stdout,
      );
      expect(podProblems(owners.items)).toEqual([]);
    });

    it('is applied a second time without a change', async () => {
      const Generations = z.object({ items: z.array(Named) });
      const generations = async () =>
        Generations.parse(await json('deployments,statefulsets,services,networkpolicies')).items.map(
          ({ metadata }) => [metadata.name, metadata.generation],
        );
      const before = await generations();
      await apply();
      expect(await generations()).toEqual(before);
    });

    it('stops the rollout of a version that does not become ready, and keeps every replica of the one before', async () => {
      const Deployment = z.looseObject({
        spec: z.looseObject({ replicas: z.number() }),
        status: z.looseObject({ availableReplicas: z.number(), unavailableReplicas: z.number().optional() }),
      });
      await inNamespace('set', 'image', 'deployment/widgets', `widgets=${brokenImage}`);
      await eventually(async () => {
        const { spec, status } = Deployment.parse(await json('deployment', 'widgets'));
        expect(status).toMatchObject({ availableReplicas: spec.replicas, unavailableReplicas: 1 });
      });
      await inNamespace('rollout', 'undo', 'deployment/widgets');
      await inNamespace('rollout', 'status', 'deployment/widgets', '--timeout=120s');
    });

    it('stands beside a cluster of three of the event store, which rolls out under the same standard', async () => {
      await cluster.kubectl(
        ...['apply', '--server-side', '--filename', cluster.file('namespace.yaml', namespace('eventstore'))],
      );
      const engine = ['--server-side', '--validate=strict', '--filename', `${here}engines/eventstore.yaml`];
      const { stderr } = await cluster.kubectl('apply', ...engine);
      expect(withoutServersFault(stderr)).toBe('');
      await cluster.kubectl(
        'rollout',
        'status',
        '--namespace=eventstore',
        'statefulset/eventstore',
        '--timeout=120s',
      );
    });

    it('stands beside Redis and both bridges to telephones, on the network of their nodes', async () => {
      await cluster.kubectl('create', 'namespace', 'livekit');
      for (const engine of ['redis', 'sip', 'sip-inbound']) {
        const { stderr } = await cluster.kubectl(
          ...['apply', '--server-side', '--validate=strict', '--filename', `${here}engines/${engine}.yaml`],
        );
        expect(stderr).toBe('');
      }
      for (const owner of ['statefulset/redis', 'deployment/sip', 'deployment/sip-inbound'])
        await cluster.kubectl('rollout', 'status', '--namespace=livekit', owner, '--timeout=120s');
    });

    it('refuses a pod that is less confined than the processes', async () => {
      const run = inNamespace('run', 'intruder', '--image=parlance:0.2.0');
      await expect(run).rejects.toThrow('violates PodSecurity "restricted');
    });
  });
});
