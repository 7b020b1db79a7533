// The variables of every service, apart from the host, so that a tool can read them without loading the host.
import {
  type AcceptKeysEnv,
  acceptKeysEnv,
  baseEnv,
  type CallerEnv,
  callerEnv,
  natsEnv,
  type OpsEnv,
  opsEnv,
  postgresEnv,
  type Secret,
  type TelemetryEnv,
  telemetryEnv,
} from '@parlance/config';

/** Variables of every service; spread into the service's own schema. */
export const hostEnv = {
  ...baseEnv,
  ...telemetryEnv,
  ...opsEnv,
  ...natsEnv,
  ...callerEnv,
  ...acceptKeysEnv,
  ...postgresEnv,
};

/** The parsed values of `hostEnv`. */
export interface HostEnv extends TelemetryEnv, OpsEnv, CallerEnv, AcceptKeysEnv {
  readonly LOG_LEVEL: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  readonly NATS_URL: string;
  readonly POSTGRES_URL: Secret;
  readonly POSTGRES_POOL_MAX: number;
}
