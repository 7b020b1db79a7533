import { describe, expect, it } from '@jest/globals';
import { unreadVariables } from './unread-variables.js';
import { variableNames } from './variable-names.js';

const told = (given: Readonly<Record<string, string>>): readonly string[] =>
  unreadVariables(given, variableNames).map(({ variable, problem }) => `${variable} ${problem}`);

/** Variables of shells, containers, clusters, CI and language tools, as they are found beside the platform's. */
const ofOtherPrograms = {
  PATH: '/usr/bin',
  HOME: '/root',
  HOSTNAME: 'gateway-1',
  LANG: 'C.UTF-8',
  LOGNAME: 'somebody',
  MAIL: '/var/mail/somebody',
  SHELL: '/bin/sh',
  NODE_OPTIONS: '--enable-source-maps',
  NODE_EXTRA_CA_CERTS: '/ca.crt',
  NODE_VERSION: '24.0.0',
  YARN_VERSION: '1.22.22',
  npm_config_loglevel: 'warn',
  npm_lifecycle_event: 'start',
  CI: 'true',
  GITHUB_API_URL: 'https://api.example.com',
  DOCKER_HOST: 'unix:///var/run/docker.sock',
  HTTPS_PROXY: 'http://proxy:3128',
  no_proxy: 'localhost',
  SSH_AUTH_SOCK: '/tmp/agent',
  POSTGRES_PASSWORD: 'of the image',
  PGPASSWORD: 'of psql',
  REDIS_URL: 'redis://somewhere',
  AWS_ACCESS_KEY_ID: 'of the machine',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  KUBERNETES_SERVICE_HOST: '10.0.0.1',
  MCP_FACADE_SERVICE_HOST: '10.0.0.2',
  MCP_FACADE_SERVICE_PORT_HTTP: '4720',
  MCP_FACADE_PORT_4720_TCP_ADDR: '10.0.0.2',
  MCP_FACADE_PORT: 'tcp://10.0.0.2:4720',
  OTEL_LOGS_EXPORTER: 'none',
  OTEL_EXPORTER_OTLP_CERTIFICATE: '/ca.crt',
  OTEL_BSP_SCHEDULE_DELAY: '500',
  PARLANCE_TEST_KILLS: '20',
};

describe('unreadVariables', () => {
  it.each([
    ['RATE_LIMT_READ_PER_MINUTE', 'RATE_LIMIT_READ_PER_MINUTE'],
    ['RATE_LIMIT_RAED_PER_MINUTE', 'RATE_LIMIT_READ_PER_MINUTE'],
    ['rate_limit_read_per_minute', 'RATE_LIMIT_READ_PER_MINUTE'],
    ['RATE-LIMIT-READ-PER-MINUTE', 'RATE_LIMIT_READ_PER_MINUTE'],
    ['CALLER_SIGNIN_KEY', 'CALLER_SIGNING_KEY'],
    ['MAX_CONCURENT_DIALS', 'MAX_CONCURRENT_DIALS'],
    ['MONGODB_URI', 'MONGODB_URL'],
    ['LOG_LEVL', 'LOG_LEVEL'],
    ['OTEL_EXPORTER_OTLP_ENDPONT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ])('names the variable that %s was meant to be', (name, meant) => {
    expect(told({ [name]: '1' })).toEqual([
      `${name} is read by no process, and ${meant} is the nearest name: correct or remove it`,
    ]);
  });

  it('refuses an unknown member of a family of variables', () => {
    expect(told({ RATE_LIMIT_EVERYTHING: '1' })).toHaveLength(1);
    expect(told({ OBJECT_STORAGE_ENCRYPTION_MODE: 'on' })).toHaveLength(1);
  });

  it('leaves variables of other programs alone', () => {
    expect(told(ofOtherPrograms)).toEqual([]);
  });

  it('leaves every known variable, and an empty unknown one, alone', () => {
    expect(told(Object.fromEntries(variableNames.map((name) => [name, '1'])))).toEqual([]);
    expect(told({ RATE_LIMT_READ_PER_MINUTE: '' })).toEqual([]);
  });
});
