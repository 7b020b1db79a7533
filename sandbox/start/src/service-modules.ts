// Loads a service by the name of its package. bundle.mjs puts a module in the place of this one that names every package of
// the registry, so that the bundle contains them.

/** @param name such as `@parlance/calls-logs` */
export const importService = (name: string): Promise<unknown> => import(name);
