// Variables that no process of the platform reads: docker-compose.yml's own, and those of `npm start` and its tests.

import { secret } from '@parlance/config';
import { composeCredentials } from '@parlance/provision';
import { z } from 'zod';

/** Read by docker-compose.yml alone, to set up the engines and to tell the services where they are. */
export const ComposeEnv = z.object({
  COMPOSE_FILE: z
    .string()
    .default('docker-compose.yml')
    .describe(
      'Files that docker compose reads, separated by colons: add deploy/compose/compose.production.yml, compose.observability.yml, telephony.yml or voice.yml.',
    ),
  PARLANCE_IMAGE: z
    .string()
    .default('parlance:0.2.0')
    .describe("The platform's image; built here unless it is there already."),
  PARLANCE_VOICE_IMAGE: z
    .string()
    .default('parlance-voice:0.2.0')
    .describe('The image of the voice runtime; with deploy/compose/voice.yml.'),
  PARLANCE_SPEECH_IMAGE: z
    .string()
    .default('parlance-speech:0.2.0')
    .describe('The image of the speech service; with deploy/compose/voice.yml.'),
  EVENTSTORE_IMAGE: z
    .string()
    .default('kurrentplatform/kurrentdb:26.0.3')
    .describe('The event store. An older server cannot read the files of a newer one.'),
  GATEWAY_PORT: z.string().default('4700').describe('Port of the gateway on this machine, on loopback.'),
  GATEWAY_INTERNAL_PORT: z
    .string()
    .default('4710')
    .describe(
      "Port of the gateway's listener for the voice runtime on this machine, on loopback; RUNTIME_BASE_URL names it too.",
    ),
  LIVEKIT_PORT: z
    .string()
    .default('7880')
    .describe('Port of LiveKit on this machine, on loopback; LIVEKIT_WS_URL names it too.'),
  MEDIA_HOST: z
    .string()
    .default('127.0.0.1')
    .describe(
      'Address of this machine that LiveKit takes media on; 0.0.0.0 for browsers and voice runtimes of other machines.',
    ),
  NODE_IP: z
    .string()
    .optional()
    .describe(
      'Public address of this machine, which providers and browsers are told; required by deploy/compose/telephony.yml.',
    ),
  REDIS_PORT: z
    .string()
    .default('6379')
    .describe("Port of LiveKit's Redis on this machine, on loopback; with deploy/compose/telephony.yml."),
  LIVEKIT_INBOUND_PORT: z
    .string()
    .default('7885')
    .describe('Port of the LiveKit for calls that come in, on loopback; with deploy/compose/telephony.yml.'),
  S3_PORT: z
    .string()
    .default('9000')
    .describe(
      'Port of the object storage on this machine, on loopback; OBJECT_STORAGE_PUBLIC_URL names it too.',
    ),
  GRAFANA_PORT: z
    .string()
    .default('3000')
    .describe('Port of Grafana on this machine, on loopback; with deploy/compose/compose.observability.yml.'),
  PROMETHEUS_PORT: z
    .string()
    .default('9090')
    .describe(
      'Port of Prometheus on this machine, on loopback; with deploy/compose/compose.observability.yml.',
    ),
  ...composeCredentials,
});

/** Read by `npm start`; engines that are named here, or above, are used instead of started. */
export const SandboxEnv = z.object({
  POSTGRES_ADMIN_URL: secret()
    .optional()
    .describe(
      'Administrator of a Postgres to use instead of starting one: postgres://user:password@host:5432/db',
    ),
  NATS_SERVER_BIN: z
    .string()
    .optional()
    .describe('nats-server to start; otherwise one on the PATH, or one fetched from the system packages.'),
});

/** Read by commands on a developer's or an operator's machine, and by no process that serves. */
export const ToolEnv = z.object({
  PARLANCE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Scheme, host and port of the platform that npm run mcp talks to; the one of npm start unless given.',
    ),
  PARLANCE_API_KEY: secret()
    .optional()
    .describe(
      'The API key that npm run mcp sends; the one of the first organization of npm start unless given.',
    ),
  NATS_MONITORING_URL: z
    .string()
    .optional()
    .describe(
      'Monitoring ports of nats-servers for npm run doctor, separated by commas, such as http://nats-1:8222: it sees there how full JetStream is.',
    ),
  VOICE_RUNTIME_OPS_URL: z
    .string()
    .optional()
    .describe(
      'Ops listeners of voice runtimes for npm run doctor, separated by commas, such as http://voice-runtime:9464: it sees there whether they take calls.',
    ),
  RTP_PORTS: z
    .string()
    .regex(/^\d{1,5}-\d{1,5}$/, 'the first and the last port, such as 10000-13999')
    .optional()
    .describe(
      'Ports for sound that npm run doctor tries beside NODE_IP, on the machine of the bridges to telephones: 10000-13999.',
    ),
  CHROMIUM_BIN: z
    .string()
    .optional()
    .describe('Chromium for the tests and the bench of the widget; otherwise one on the PATH.'),
});
