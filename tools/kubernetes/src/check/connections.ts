// The connections of all replicas to Postgres at most, held against the number that engines/postgres.yaml allows.
import { type Process, variablesOf } from '@parlance/compose';
import type { ProcessRow } from '@parlance/registry';

/** better-auth has a pool of its own in the gateway, as large as the other one. */
const poolsOf: Readonly<Record<string, number>> = { gateway: 2 };
/** Beside its pools, a process holds one connection for locks. */
const forLocks = 1;
/** `provision` and `migrate`, with one connection each. */
const ofJobs = 2;
/** Postgres keeps these for its superusers. */
const reserved = 3;
/** The doctor reports POSTGRES_CONNECTIONS_SCARCE above this share. */
const usable = 0.9;
/** While a version rolls out, there is one replica more. */
const maxSurge = 1;

const ofReplica = ({ name, env }: Process): number => {
  const { otherwise } = variablesOf(env).find((variable) => variable.name === 'POSTGRES_POOL_MAX') ?? {};
  return Number(otherwise) * (poolsOf[name] ?? 1) + forLocks;
};

/** @param postgres text of engines/postgres.yaml */
export const connectionProblems = (
  processes: readonly Process[],
  rows: readonly ProcessRow[],
  postgres: string,
): readonly string[] => {
  const allowed = Number(/max_connections: "(\d+)"/.exec(postgres)?.[1]);
  const needed = rows.reduce((sum, { name, scaling, replicas }) => {
    const process = processes.find((one) => one.name === name);
    if (process === undefined) return sum;
    return sum + ((scaling?.maxReplicas ?? replicas) + maxSurge) * ofReplica(process);
  }, ofJobs);
  return needed <= (allowed - reserved) * usable
    ? []
    : [
        `engines/postgres.yaml allows ${allowed} connections, which is too few for the ${needed} of all replicas at most`,
      ];
};
