// The configuration of the three NATS servers of docker-compose.yml. The users in it are folded from the contract.
import { createHash } from 'node:crypto';
import { authorizationBlock } from '@parlance/messaging';

const text = `# Written by \`npm run gen\` from libs/messaging and tools/compose/src/nats-configuration.ts; change those.
# One of three NATS servers that hold the platform's messages together. The same file for each: the name, the routes and
# the passwords come from docker-compose.yml. Passwords arrive in quotes, or NATS would read some of them as numbers.
server_name: $NATS_SERVER_NAME
port: 4222
# Answers the health checks, and the doctor of a process: how full JetStream is. docker-compose.yml publishes no port of it.
http: 0.0.0.0:8222

${authorizationBlock()}
cluster {
  name: parlance
  port: 6222
  authorization {
    user: route
    password: $NATS_CLUSTER_PASSWORD
    timeout: 2
  }
}

jetstream {
  store_dir: /data
  max_memory_store: 64MB
  max_file_store: 8GB
  # Not "always": the event stream is on three servers, and what it lost would be sent again from the outbox tables.
  sync_interval: 10s
}

# A finished call is handed over in one message, transcript and all.
max_payload: 8MB
`;

/** Path from the root of the repository, and text. */
export const natsConfigurationFile = { path: 'deploy/compose/nats/nats.conf', content: text };

/** A part of docker-compose.yml, so that other users or subjects make Compose start the servers anew. */
export const natsConfigurationDigest = createHash('sha256').update(text).digest('hex').slice(0, 12);

/** docker-compose.yml with the digest of the servers' configuration. @param compose text of the file as it is */
export const composeWithDigest = (compose: string) => ({
  path: 'docker-compose.yml',
  content: compose.replace(/(NATS_CONFIGURATION: )'[^']*'/, `$1'${natsConfigurationDigest}'`),
});
