// The configuration of a NATS server without a cluster; deploy/compose/nats/nats.conf is that of one among three.
import { authorizationBlock } from '@parlance/messaging';

export const natsConfiguration = `port: 4222
# Answers the health checks, and the doctor of a process: how full JetStream is. Policies let processes alone through.
http: 0.0.0.0:8222

${authorizationBlock()}
jetstream {
  store_dir: /data
  max_memory_store: 64MB
  max_file_store: 8GB
  # One copy: an outage of the machine loses what was not written yet, and the outbox tables send it again.
  sync_interval: 10s
}

# A finished call is handed over in one message, transcript and all.
max_payload: 8MB
`;
