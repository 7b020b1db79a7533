// The values for NATS' own chart, with three servers for production.
import { administrator, passwordVariableOf, serviceUsers, userNames } from '@parlance/messaging';
import { compactYaml } from './chart/compact-yaml.js';

/** The chart copies the text between these marks into the configuration unchanged. */
const asItIs = (text: string): string => `<< ${text} >>`;
const password = (user: string): string => asItIs(`$${passwordVariableOf(user)}`);

const introduction = `# Written by \`npm run gen\` from libs/messaging and tools/kubernetes/src/nats.ts; change those.
# Values for the chart "nats" of NATS' own charts (https://nats-io.github.io/k8s/helm/charts/), release "nats" in the namespace
# "nats": three servers with JetStream. The Secret "nats" there has the passwords under the keys that the platform's Secret has.
# cert-manager fills the Secret "nats-tls" with a certificate for nats.nats.svc, *.nats-headless and *.nats-headless.nats.svc, with the
# usages "server auth" and "client auth", because servers show it to each other too. Its ca.crt is the key nats.crt of the Secret
# "parlance-authorities" of the platform.
`;

/** @param tag of the image, as docker-compose.yml has it */
export const natsChartValues = (tag: string): string =>
  introduction +
  compactYaml({
    config: {
      cluster: { enabled: true, replicas: 3, tls: { enabled: true, secretName: 'nats-tls' } },
      nats: { tls: { enabled: true, secretName: 'nats-tls' } },
      jetstream: {
        enabled: true,
        fileStore: { pvc: { size: '20Gi' } },
        memoryStore: { enabled: true, maxSize: '64Mi' },
      },
      merge: {
        // a finished call is published in one message, with its transcript
        max_payload: asItIs('8MB'),
        authorization: {
          users: [
            { user: administrator, password: password(administrator) },
            ...serviceUsers.map(({ name, publish, subscribe }) => ({
              user: name,
              password: password(name),
              permissions: { publish: { allow: publish }, subscribe: { allow: subscribe } },
            })),
          ],
        },
      },
    },
    tlsCA: { enabled: true, secretName: 'nats-tls' },
    container: {
      image: { repository: 'nats', tag },
      env: {
        ...Object.fromEntries(
          userNames
            .map(passwordVariableOf)
            .map((key) => [key, { valueFrom: { secretKeyRef: { name: 'nats', key } } }]),
        ),
        GOMEMLIMIT: '900MiB',
      },
      merge: { resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { memory: '1Gi' } } },
    },
    podTemplate: {
      topologySpreadConstraints: {
        'kubernetes.io/hostname': { maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' },
      },
    },
    podDisruptionBudget: { enabled: true },
  });
