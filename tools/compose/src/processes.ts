// Every process of the platform that docker-compose.yml runs, and the schema of its environment.
import * as agentsConfig from '@parlance/agents-config';
import * as callsLogs from '@parlance/calls-logs';
import * as gateway from '@parlance/gateway';
import * as knowledge from '@parlance/knowledge';
import * as mcpFacade from '@parlance/mcp-facade';
import * as mcpHub from '@parlance/mcp-hub';
import * as outboundDialer from '@parlance/outbound-dialer';
import { MigrateAllEnv, ProvisionEnv, SecretsEnv } from '@parlance/provision';
import * as telephonyNumbers from '@parlance/telephony-numbers';
import * as toolsSecrets from '@parlance/tools-secrets';
import * as widgets from '@parlance/widgets';
import type { z } from 'zod';

export interface Process {
  /** In the compose file, and in the image's entry point. */
  readonly name: string;
  readonly env: z.ZodObject;
  /** Runs once, before the others. */
  readonly isOneShot?: boolean;
}

export const processes: readonly Process[] = [
  { name: 'gateway', env: gateway.Env },
  { name: 'agents-config', env: agentsConfig.Env },
  { name: 'calls-logs', env: callsLogs.Env },
  { name: 'outbound-dialer', env: outboundDialer.Env },
  { name: 'telephony-numbers', env: telephonyNumbers.Env },
  { name: 'knowledge', env: knowledge.Env },
  { name: 'tools-secrets', env: toolsSecrets.Env },
  { name: 'mcp-facade', env: mcpFacade.Env },
  { name: 'mcp-hub', env: mcpHub.Env },
  { name: 'widgets', env: widgets.Env },
  { name: 'secrets', env: SecretsEnv, isOneShot: true },
  { name: 'provision', env: ProvisionEnv, isOneShot: true },
];

/** Brings schemas up to date ahead of a rollout. In the cluster it is a job, with the compose file a command by hand. */
export const migration: Process = { name: 'migrate', env: MigrateAllEnv, isOneShot: true };
