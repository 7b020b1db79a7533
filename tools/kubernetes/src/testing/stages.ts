// The stages by which kwok pretends: nodes are ready, pods run at once, pods of jobs complete. One image never comes up, and another
// one ends with an error each time that it is started.
import { stringify } from 'yaml';

/** An image of this name starts and does not become ready. */
export const brokenImage = 'parlance:0.0.0-broken';
/** Each start of an image of this name has failed, more often than a job allows. */
export const failingImage = 'parlance:0.0.0-failing';

interface Stage {
  readonly name: string;
  readonly kind: 'Node' | 'Pod';
  readonly when: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
  readonly next: object;
}

const notReady = {
  key: '.status.conditions.[] | select( .type == "Ready" ) | .status',
  operator: 'NotIn',
  values: ['True'],
};
const staying = { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' };
const inPhase = (...values: readonly string[]) => ({ key: '.status.phase', operator: 'In', values });

const condition = (type: string): string =>
  `- type: ${type}\n  status: "True"\n  lastTransitionTime: {{ Now | Quote }}\n  lastHeartbeatTime: {{ Now | Quote }}\n`;
const podCondition = (type: string): string =>
  `- type: ${type}\n  status: "True"\n  lastTransitionTime: {{ Now | Quote }}\n`;

const containers = (list: string, state: string, restarts = 0): string => `{{ range .spec.${list} }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  restartCount: ${restarts}
  ${state}
{{ end }}
`;

const imageIs = (operator: 'In' | 'NotIn', ...values: readonly string[]) => ({
  key: '.spec.containers.[].image',
  operator,
  values,
});
const started = 'phase: Running\nstartTime: {{ Now | Quote }}\n';
/** More than any job of ours tries again. */
const manyRestarts = 10;

const finished =
  'state: { terminated: { exitCode: 0, reason: Completed, startedAt: {{ Now | Quote }}, finishedAt: {{ Now | Quote }} } }';
const waitsToRestart = 'state: { waiting: { reason: CrashLoopBackOff } }';

const stages: readonly Stage[] = [
  {
    name: 'node-is-ready',
    kind: 'Node',
    when: [notReady],
    next: { statusTemplate: `conditions:\n${condition('Ready')}` },
  },
  {
    name: 'pod-runs',
    kind: 'Pod',
    when: [staying, inPhase('Pending'), imageIs('NotIn', brokenImage, failingImage)],
    next: {
      statusTemplate: [
        `${started}conditions:\n`,
        ...['Initialized', 'ContainersReady', 'Ready'].map(podCondition),
        'containerStatuses:\n',
        containers('containers', 'ready: true\n  state: { running: { startedAt: {{ Now | Quote }} } }'),
        'initContainerStatuses:\n',
        containers('initContainers', `ready: true\n  ${finished}`),
      ].join(''),
    },
  },
  {
    name: 'job-completes',
    kind: 'Pod',
    when: [
      staying,
      inPhase('Running'),
      { key: '.metadata.ownerReferences.[].kind', operator: 'In', values: ['Job'] },
      imageIs('NotIn', failingImage),
    ],
    next: {
      statusTemplate: `phase: Succeeded\ncontainerStatuses:\n${containers('containers', `ready: false\n  ${finished}`)}`,
    },
  },
  {
    name: 'pod-fails-again',
    kind: 'Pod',
    when: [staying, inPhase('Pending'), imageIs('In', failingImage)],
    next: {
      statusTemplate: `${started}containerStatuses:\n${containers('containers', `ready: false\n  ${waitsToRestart}`, manyRestarts)}`,
    },
  },
  {
    name: 'pod-goes',
    kind: 'Pod',
    when: [{ key: '.metadata.deletionTimestamp', operator: 'Exists' }],
    next: { finalizers: { empty: true }, delete: true },
  },
];

export const stagesFile = (): string =>
  stages
    .map(({ name, kind, when, next }) =>
      stringify({
        apiVersion: 'kwok.x-k8s.io/v1alpha1',
        kind: 'Stage',
        metadata: { name },
        spec: { resourceRef: { apiGroup: 'v1', kind }, selector: { matchExpressions: when }, next },
      }),
    )
    .join('---\n');
