// The connections of all copies to Postgres at most, held against the number that engines/postgres.yaml allows.
import { type Process, variablesOf } from '@parlance/compose';
import { type IDeployment, type Manifest, nameOf } from '../manifest.js';
import { workloads } from '../workloads/table.js';
import type { Workload } from '../workloads/workload.js';

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

const ofCopy = ({ name, env }: Process): number => {
  const { otherwise } = variablesOf(env).find((variable) => variable.name === 'POSTGRES_POOL_MAX') ?? {};
  return Number(otherwise) * (poolsOf[name] ?? 1) + forLocks;
};

/** While a version rolls out, copies of both are there. */
const copiesOf = ({ copies, scaling }: Workload, { spec }: IDeployment): number =>
  (scaling?.most ?? copies) + Number(spec?.strategy?.rollingUpdate?.maxSurge ?? 0);

/** @param postgres text of engines/postgres.yaml */
export const connectionProblems = (
  processes: readonly Process[],
  manifests: readonly Manifest[],
  postgres: string,
): readonly string[] => {
  const allowed = Number(/max_connections: "(\d+)"/.exec(postgres)?.[1]);
  const wanted = manifests.reduce((sum, manifest) => {
    const workload = workloads.find(({ name }) => name === nameOf(manifest));
    const process = processes.find(({ name }) => name === nameOf(manifest));
    if (manifest.kind !== 'Deployment' || workload === undefined || process === undefined) return sum;
    return sum + copiesOf(workload, manifest) * ofCopy(process);
  }, ofJobs);
  return wanted <= (allowed - reserved) * usable
    ? []
    : [
        `engines/postgres.yaml allows ${allowed} connections, which is too few for the ${wanted} of all copies at most`,
      ];
};
