// An installation's keys, made once for a test file.
import { type CallerEnv, callerPublicKeysOf, newCallerPrivateKey, readCallerEnv } from '@parlance/config';
import { type ServiceName, serviceNames } from '@parlance/contracts';

/** The keys of a process, as it reads them, by the name of the process. */
export type CallerEnvs = (name: ServiceName, change?: Readonly<Record<string, string>>) => CallerEnv;

export const newInstallation = (): CallerEnvs => {
  const privateKeys = Object.fromEntries(serviceNames.map((name) => [name, newCallerPrivateKey()]));
  const CALLER_PUBLIC_KEYS = callerPublicKeysOf(privateKeys);
  return (name, change = {}) =>
    readCallerEnv({ CALLER_PRIVATE_KEY: privateKeys[name], CALLER_PUBLIC_KEYS, ...change });
};

/** A clock that stands still until it is told to go on. */
export const clockAt = (start = '2026-01-01T00:00:00.000Z') => {
  let now = new Date(start).getTime();
  return {
    now: () => new Date(now),
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
  };
};
