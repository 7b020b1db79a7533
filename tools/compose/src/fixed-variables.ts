// Variables that have the same value in every installation on containers.
import type { ProcessRow } from '@parlance/registry';

export const opsPort = 9464;

/** The ports of the processes that have some, by name. */
export type Ports = Readonly<Record<string, NonNullable<ProcessRow['ports']>>>;

export const portsOf = (rows: readonly Pick<ProcessRow, 'name' | 'ports'>[]): Ports =>
  Object.fromEntries(rows.flatMap(({ name, ports }) => (ports === undefined ? [] : [[name, ports]])));

/** Variables with the address of another process. */
export const processAddresses: Readonly<Record<string, string>> = {
  GATEWAY_URL: 'gateway',
  MCP_FACADE_URL: 'mcp-facade',
};

export const fixedVariables = (name: string, ports: Ports): Readonly<Record<string, string>> => ({
  NODE_ENV: 'production',
  OTEL_SERVICE_NAME: name,
  HOST: '0.0.0.0',
  PORT: String(ports.gateway?.http),
  INTERNAL_HOST: '0.0.0.0',
  INTERNAL_PORT: String(ports.gateway?.runtime),
  MCP_HOST: '0.0.0.0',
  MCP_PORT: String(ports['mcp-facade']?.http),
  TEXT_RUNTIME_HOST: '0.0.0.0',
  TEXT_RUNTIME_PORT: '8080',
  SPEECH_HOST: '0.0.0.0',
  SPEECH_PORT: '4760',
  SPEECH_MODELS_DIR: '/models',
  OPS_HOST: '0.0.0.0',
  OPS_PORT: String(opsPort),
});
