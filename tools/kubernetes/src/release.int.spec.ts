// Helm installs and upgrades the chart at a real API server. Schemas are migrated before any process changes, and an
// upgrade with a failed migration changes nothing. Skipped where the programs are not on the PATH. No container runs.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { findOnPath, findPrograms } from './chart/programs.js';
import { workloads } from './index.js';
import { chart } from './render.js';
import { Cluster } from './testing/cluster.js';
import { kindsOfOperators, namespace, networkToPut, nodes } from './testing/fixtures.js';
import { secretFile } from './testing/secret-file.js';
import { failingImage } from './testing/stages.js';

const programs = findPrograms();
const helmProgram = findOnPath('helm');
const isInstalled = programs !== undefined && helmProgram !== undefined;
const execute = promisify(execFile);
const { appVersion } = z
  .looseObject({ appVersion: z.string() })
  .parse(parse(readFileSync(`${chart}/Chart.yaml`, 'utf8')));
const nextVersion = `${appVersion}-next`;

const Deployments = z.object({
  items: z.array(
    z.looseObject({
      metadata: z.looseObject({ name: z.string(), generation: z.number() }),
      spec: z.looseObject({
        template: z.looseObject({
          spec: z.looseObject({ containers: z.array(z.looseObject({ image: z.string() })) }),
        }),
      }),
    }),
  ),
});
const Named = z.object({
  items: z.array(
    z.looseObject({ metadata: z.looseObject({ name: z.string(), creationTimestamp: z.string() }) }),
  ),
});
const Events = z.object({
  items: z.array(
    z.looseObject({
      reason: z.string(),
      // absent in the events of the scheduler
      lastTimestamp: z.string().nullable(),
      involvedObject: z.looseObject({ name: z.string() }),
    }),
  ),
});

(isInstalled ? describe : describe.skip)('a release of the chart', () => {
  let cluster: Cluster;
  const inNamespace = (...args: readonly string[]) => cluster.kubectl('--namespace=parlance', ...args);
  const json = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse((await inNamespace('get', ...args, '--output=json')).stdout);
  /** A file of values that names the network of the nodes, which those of the chart leave open. */
  let ofInstallation = '';
  const helm = (...args: readonly string[]) =>
    execute(helmProgram ?? 'helm', ['--kubeconfig', cluster.kubeconfig, '--namespace=parlance', ...args]);
  const upgrade = (tag: string) =>
    helm(
      'upgrade',
      'parlance',
      chart,
      `--set=image.tag=${tag}`,
      `--values=${ofInstallation}`,
      '--wait',
      '--wait-for-jobs',
      '--timeout=120s',
    );
  const deployments = async () => Deployments.parse(await json('deployments')).items;
  const images = async () =>
    new Set(
      (await deployments()).flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image)),
    );
  const namesOf = async (kind: string) =>
    Named.parse(await json(kind)).items.map(({ metadata }) => metadata.name);

  beforeAll(async () => {
    if (programs === undefined) throw new Error('the programs of a cluster are not installed');
    cluster = new Cluster(programs);
    await cluster.start();
    for (const [file, text] of Object.entries({
      nodes: nodes(),
      kinds: kindsOfOperators(),
      namespace: namespace('parlance'),
    }))
      await cluster.kubectl('apply', '--server-side', '--filename', cluster.file(`${file}.yaml`, text));
    await cluster.kubectl('wait', '--for=condition=Ready', 'node', '--all', '--timeout=60s');
    await cluster.kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s');
    const named = readFileSync(`${chart}/values.yaml`, 'utf8').replaceAll(networkToPut, '192.0.2.0/24');
    ofInstallation = cluster.file('values.yaml', named);
    const values = `${secretFile()}EVENTSTORE_PASSWORD=from-the-cluster\n`;
    const secret = `--from-env-file=${cluster.file('secret.env', values)}`;
    await inNamespace('create', 'secret', 'generic', 'parlance', secret);
  });
  afterAll(() => cluster?.stop());

  it('is installed to its end, and its processes migrate by themselves', async () => {
    const { stdout, stderr } = await helm(
      ...[
        'install',
        'parlance',
        chart,
        `--values=${ofInstallation}`,
        '--wait',
        '--wait-for-jobs',
        '--timeout=120s',
      ],
    );
    expect(stdout).toContain('STATUS: deployed');
    expect(stderr).not.toContain('Warning');
    expect((await deployments()).map(({ metadata }) => metadata.name).sort()).toEqual(
      workloads.map(({ name }) => name).sort(),
    );
    expect(await namesOf('jobs')).toEqual(['provision-1']);
  });

  it('stops an upgrade whose migration fails: no process changes, and the job stays for its log', async () => {
    const before = await deployments();
    await expect(upgrade(failingImage.split(':')[1] ?? '')).rejects.toThrow(
      /pre-upgrade hooks failed: .*BackoffLimitExceeded/s,
    );
    const generations = (list: typeof before) =>
      list.map(({ metadata }) => [metadata.name, metadata.generation]);
    expect(generations(await deployments())).toEqual(generations(before));
    expect(await images()).toEqual(new Set([`parlance:${appVersion}`]));
    expect(await namesOf('jobs')).toEqual(['migrate-2', 'provision-1']);
    expect((await helm('history', 'parlance')).stdout).toMatch(/\n2\s.*failed/);
  });

  it('upgrades once the migration has come to its end, and then takes its job away', async () => {
    const before = await namesOf('replicasets');
    await upgrade(nextVersion);
    expect(await images()).toEqual(new Set([`parlance:${nextVersion}`]));
    expect(await namesOf('jobs')).toEqual(expect.not.arrayContaining(['migrate-3']));
    const { items: events } = Events.parse(await json('events'));
    const migrated = events.find(
      ({ reason, involvedObject }) => reason === 'Completed' && involvedObject.name === 'migrate-3',
    );
    const made = Named.parse(await json('replicasets')).items.filter(
      ({ metadata }) => !before.includes(metadata.name),
    );
    expect(made).toHaveLength(workloads.length);
    const beganAt = made.map(({ metadata }) => Date.parse(metadata.creationTimestamp));
    expect(Date.parse(migrated?.lastTimestamp ?? '')).toBeLessThanOrEqual(Math.min(...beganAt));
  });
});
