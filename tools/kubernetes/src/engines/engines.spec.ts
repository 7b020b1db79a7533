// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Compose writes its variables so
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { composeImages } from '../testing/subject.js';
import { environmentFrom } from './compose-text.js';

const read = (file: string): string =>
  readFileSync(new URL(`../../../../deploy/kubernetes/engines/${file}`, import.meta.url), 'utf8');

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
    ['eventstore.yaml', 'eventstore/eventstore', /image: \S+:(\S+)/],
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
    const compose = readFileSync(
      new URL('../../../../deploy/compose/telephony.yml', import.meta.url),
      'utf8',
    );
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
      name: `EVENTSTORE_DEFAULT_${user.toUpperCase()}_PASSWORD`,
      valueFrom: { secretKeyRef: { name: 'eventstore', key: `${user}-password` } },
    });
  expect(read('eventstore.yaml')).not.toContain('$admins');
});

describe('an environment of docker-compose.yml', () => {
  const isSecret = (name: string): boolean => name.endsWith('PASSWORD');

  it('takes a value as it is from where it is kept, and composes others after what they take', () => {
    const env = environmentFrom(
      { PASSWORD: '${PASSWORD:?say}', URL: 'x://u:${PASSWORD:?say}@${HOST:-h}/$$$$' },
      [],
      isSecret,
    );
    expect(env).toEqual([
      { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'parlance', key: 'PASSWORD' } } },
      { name: 'HOST', valueFrom: { configMapKeyRef: { name: 'parlance', key: 'HOST' } } },
      { name: 'URL', value: 'x://u:$(PASSWORD)@$(HOST)/$$' },
    ]);
  });

  it('gives another name to what a variable of the same name is made from', () => {
    expect(environmentFrom({ PASSWORD: '"${PASSWORD:?say}"' }, [], isSecret)).toEqual([
      { name: 'GIVEN_PASSWORD', valueFrom: { secretKeyRef: { name: 'parlance', key: 'PASSWORD' } } },
      { name: 'PASSWORD', value: '"$(GIVEN_PASSWORD)"' },
    ]);
  });
});
