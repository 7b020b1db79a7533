// The programs of a Kubernetes control plane, where somebody has installed them: a real API server, and kwok for the nodes.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Programs {
  readonly etcd: string;
  readonly apiServer: string;
  readonly controllers: string;
  readonly scheduler: string;
  readonly kwok: string;
  readonly kubectl: string;
}

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

export const findOnPath = (name: string): string | undefined =>
  // biome-ignore lint/style/noProcessEnv: where programs are is known to the environment alone
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);

/** All of them, or undefined when one is missing. */
export const findPrograms = (): Programs | undefined => {
  const etcd = findOnPath('etcd');
  const apiServer = findOnPath('kube-apiserver');
  const controllers = findOnPath('kube-controller-manager');
  const scheduler = findOnPath('kube-scheduler');
  const kwok = findOnPath('kwok');
  const kubectl = findOnPath('kubectl');
  if (etcd === undefined || apiServer === undefined || controllers === undefined) return undefined;
  if (scheduler === undefined || kwok === undefined || kubectl === undefined) return undefined;
  return { etcd, apiServer, controllers, scheduler, kwok, kubectl };
};
