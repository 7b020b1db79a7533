// Which service a connection string belongs to: the role of a service on Postgres has its name.
import type { EnvSource } from '@parlance/config';

/** The environment of one service, outside of its container, names the database of that service alone. */
export const isOfService = (service: string, { POSTGRES_URL = '' }: EnvSource): boolean =>
  URL.canParse(POSTGRES_URL) && new URL(POSTGRES_URL).username.replaceAll('_', '-') === service;
