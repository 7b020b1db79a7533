// The configuration of the NATS servers of the compose files: of one server, and of a cluster. The chart has the first too. The users in
// it are folded from the contract.
import { createHash } from 'node:crypto';
import { authorizationBlock } from '@parlance/messaging';

const text = `# Written by \`npm run gen\` from libs/messaging and tools/compose/src/nats-configuration.ts; change those.
# A NATS server of the compose files and of the chart. Its name and the passwords come from its environment. Passwords arrive in
# quotes, or NATS would read some of them as numbers.
server_name: $NATS_SERVER_NAME
port: 4222
# Answers the health checks, and the doctor of a process: how full JetStream is. No port of it is published.
http: 0.0.0.0:8222

${authorizationBlock()}
jetstream {
  store_dir: /data
  max_memory_store: 64MB
  max_file_store: 8GB
  # Not "always": what a server has lost is sent again from the outbox tables.
  sync_interval: 10s
}

# A finished call is handed over in one message, transcript and all.
max_payload: 8MB
`;

const cluster = `# Written by \`npm run gen\` from tools/compose/src/nats-configuration.ts; change that.
# One of the three servers of deploy/compose/compose.production.yml, which names the others.
include ./nats.conf

cluster {
  name: parlance
  port: 6222
  authorization {
    user: route
    password: $NATS_CLUSTER_PASSWORD
    timeout: 2
  }
}
`;

/** Paths from the root of the repository, and texts. */
export const natsConfigurationFiles = [
  { path: 'deploy/compose/nats/nats.conf', content: text },
  { path: 'deploy/compose/nats/cluster.conf', content: cluster },
];

/** A part of the compose files, so that other users or subjects make Compose start the servers anew. */
export const natsConfigurationDigest = createHash('sha256')
  .update(text)
  .update(cluster)
  .digest('hex')
  .slice(0, 12);

/** A compose file with the digest of the servers' configuration. @param compose text of the file as it is */
export const composeWithDigest = (path: string, compose: string) => ({
  path,
  content: compose.replace(/(NATS_CONFIGURATION: )'[^']*'/, `$1'${natsConfigurationDigest}'`),
});
