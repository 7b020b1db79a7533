// The engines and settings that the parts of the gateway are composed of.
import type { Secret } from '@parlance/config';
import type { Logger } from '@parlance/observability';
import type { NatsConnection } from 'nats';
import type { IdentityStore } from './auth/identity-store.js';
import type { ConsoleFiles } from './console-files/files.js';
import type { Env } from './environment/env.js';
import type { LiveStreams } from './live/live-streams.js';
import type { BeginLimits } from './organizations/beginnings.js';
import type { Teardown } from './teardown.js';
import type { DemoWidget } from './widget-demo/demo-page.js';

/**
 * The secret from which the gateway derives its own keys. Version 0.1 took CALLER_SIGNING_KEY, and so do both versions
 * side by side.
 */
export const ownSecret = (env: Env): Secret => env.CALLER_SIGNING_KEY ?? env.AUTH_SECRET;

export interface GatewayEngines {
  readonly env: Env;
  readonly publicUrl: string;
  readonly trustedOrigins: readonly string[];
  readonly logger: Logger;
  readonly store: IdentityStore;
  readonly nats: NatsConnection;
  readonly teardown: Teardown;
  readonly demoWidget: () => DemoWidget | undefined;
  readonly readConsole: () => ConsoleFiles;
  readonly liveStreams: LiveStreams;
  readonly beginLimits: BeginLimits | undefined;
}
