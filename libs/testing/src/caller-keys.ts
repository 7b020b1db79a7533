// The keys of callers for one test file. Every process has its own, as in an installation.
import { type CallerEnv, callerPublicKeysOf, newCallerPrivateKey, readCallerEnv } from '@parlance/config';
import { type ServiceName, serviceNames } from '@parlance/contracts';

const privateKeys = Object.fromEntries(serviceNames.map((name) => [name, newCallerPrivateKey()]));
const publicKeys = callerPublicKeysOf(privateKeys);

/** The variables of this process. */
export const callerVariables = (process: ServiceName): Readonly<Record<string, string>> => ({
  CALLER_PRIVATE_KEY: privateKeys[process] ?? '',
  CALLER_PUBLIC_KEYS: publicKeys,
});

/** The same as a process reads them. */
export const callerEnvOf = (process: ServiceName): CallerEnv => readCallerEnv(callerVariables(process));
