import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { imageOf, parseCompose } from '@parlance/compose';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { podsOf } from './check/pods.js';
import { currentSubject } from './index.js';
import { root } from './render.js';

const { composeImages } = currentSubject();

const read = (file: string): string => readFileSync(join(root, 'deploy/kubernetes/engines', file), 'utf8');

describe('the values for charts and operators of engines', () => {
  it.each([
    ['nats.yaml', 'nats', /tag: (\S+)/],
    ['postgres.yaml', 'postgres', /postgresql:(\S+)/],
    ['mongodb.yaml', 'mongo', /version: (\S+)/],
    ['livekit.yaml', 'livekit/livekit-server', /tag: (\S+)/],
    ['livekit-inbound.yaml', 'livekit/livekit-server', /tag: (\S+)/],
    ['redis.yaml', 'redis', /image: redis:(\S+)/],
    ['sip.yaml', 'livekit/sip', /image: \S+:(\S+)/],
    ['sip-inbound.yaml', 'livekit/sip', /image: \S+:(\S+)/],
    ['eventstore.yaml', 'kurrentplatform/kurrentdb', /image: \S+:(\S+)/],
  ])('%s runs the version that docker-compose.yml runs', (file, image, pattern) => {
    const version = pattern.exec(read(file))?.[1] ?? 'none';
    const ours = composeImages.find((known) => known.startsWith(`${image}:`))?.split(':')[1] ?? '';
    expect(ours.replace(/-trixie$/, '')).toBe(version);
  });
});

it.each(['sip', 'sip-inbound'])(
  'the bridge %s has the ports and the cluster of the one in telephony.yml',
  (name) => {
    const Body = z.object({
      ...{ sip_port: z.number(), rtp_port: z.string(), health_port: z.number() },
      ...{ cluster_id: z.string().optional(), hide_inbound_port: z.literal(true) },
    });
    /** The text under SIP_CONFIG_BODY of either file, after the line that begins it. */
    const bodyIn = (text: string, begin: RegExp): string => {
      const lines = text
        .slice(begin.exec(text)?.index ?? 0)
        .split('\n')
        .slice(1);
      const depth = /^ */.exec(lines[0] ?? '')?.[0].length ?? 0;
      const end = lines.findIndex((line) => line.trim() !== '' && !line.startsWith(' '.repeat(depth)));
      return lines
        .slice(0, end)
        .map((line) => line.slice(depth))
        .join('\n');
    };
    const compose = readFileSync(join(root, 'deploy/compose/telephony.yml'), 'utf8');
    const ofService = compose.slice(compose.indexOf(`\n  ${name}:\n`));
    const ours = Body.parse(parse(bodyIn(read(`${name}.yaml`), /^ *value: \|$/m)));
    expect(ours).toEqual(Body.parse(parse(bodyIn(`${ofService}\nend:\n`, /^ *SIP_CONFIG_BODY: \|$/m))));
  },
);

it('the cluster of the event store never starts with a password of the administrator that everybody knows', () => {
  const Container = z.object({ env: z.array(z.looseObject({ name: z.string() })) });
  const Pod = z.object({ spec: z.object({ containers: z.array(Container) }) });
  const StatefulSet = z.object({ kind: z.literal('StatefulSet'), spec: z.object({ template: Pod }) });
  const sets = parseAllDocuments(read('eventstore.yaml')).flatMap((document) => {
    const { data } = StatefulSet.safeParse(document.toJS());
    return data === undefined ? [] : [data];
  });
  const env = sets.flatMap(({ spec }) => spec.template.spec.containers).flatMap((container) => container.env);
  for (const user of ['admin', 'ops'])
    expect(env).toContainEqual({
      name: `KURRENTDB_DEFAULT_${user.toUpperCase()}_PASSWORD`,
      valueFrom: { secretKeyRef: { name: 'eventstore', key: `${user}-password` } },
    });
  expect(read('eventstore.yaml')).not.toContain('$admins');
});

describe('the engines of the single-node manifests', () => {
  const compose = parseCompose(readFileSync(join(root, 'docker-compose.yml'), 'utf8')).file?.services ?? {};
  const engines = podsOf(currentSubject().renderings['single-node'] ?? []).filter(
    ({ labels, owner }) => labels['app.kubernetes.io/component'] === 'engine' || owner === 'mongodb-init',
  );
  /** `${NAME:?text}` of Compose is `$(NAME)` of Kubernetes, and `$$` is `$` in both of their shells. */
  const translated = (value: string | readonly string[] = []): readonly string[] =>
    [value].flat().map((text) => text.replaceAll(/\$\{([A-Z_]+)[^}]*\}/g, '$($1)').replaceAll('$$', '$'));
  /**
   * The statements of a command. In Compose an engine reads its credentials from a file, in a cluster they are in its environment, so
   * the statements for the file do not count.
   */
  const statements = (command: readonly string[]): readonly string[] => {
    const [shell = '', , script] = command;
    const text = /sh$/.test(shell) && script !== undefined ? script : command.join(' ');
    return text
      .split(/\n|; |&& /)
      .map((statement) => statement.trim().replace(/^exec /, ''))
      .filter((statement) => statement !== '' && !/^(set -a$|\. \/run\/parlance\/|export )/.test(statement));
  };
  const bytes = (memory: string): string => memory.replace(/i$/, '').toUpperCase();

  it.each(engines.map((engine) => [engine.owner, engine] as const))(
    '%s has the image, command, user, limits and health check of docker-compose.yml',
    (name, { spec }) => {
      const service = compose[name === 'nats' ? 'nats-1' : name];
      const [container] = spec.containers;
      const { runAsUser, runAsGroup } = spec.securityContext ?? {};
      const limits = service?.deploy?.resources.limits;
      const [, ...probe] = service?.healthcheck?.test ?? [];
      const isShell = service?.healthcheck?.test[0] === 'CMD-SHELL';
      expect({
        image: container?.image,
        user: `${runAsUser}:${runAsGroup}`,
        readOnly: container?.securityContext?.readOnlyRootFilesystem,
        cpu: container?.resources?.limits?.cpu,
        memory: bytes(String(container?.resources?.limits?.memory)),
        probe: statements(container?.startupProbe?.exec?.command ?? []),
      }).toEqual({
        image: imageOf(service ?? {}),
        user: service?.user,
        readOnly: service?.read_only === true,
        cpu: limits?.cpus,
        memory: limits?.memory,
        probe: statements(translated(isShell ? ['sh', '-c', ...probe] : probe)),
      });
      // An image whose own entry point is the program needs no name of it.
      const inCluster = statements([...(container?.command ?? []), ...(container?.args ?? [])]).join('\n');
      const inCompose = [...translated(service?.entrypoint), ...translated(service?.command)];
      expect(statements(inCompose).join('\n').endsWith(inCluster)).toBe(true);
    },
  );

  it('are all of the engines that docker-compose.yml runs', () => {
    const names = engines.map(({ owner }) => owner).toSorted();
    expect(names).toEqual([
      'eventstore',
      'livekit',
      'livekit-inbound',
      'mongodb',
      'mongodb-init',
      'nats',
      'postgres',
      'redis',
      's3',
      'sip',
      'sip-inbound',
    ]);
  });
});
