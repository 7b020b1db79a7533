// Everything that travels as a request over NATS: the operations, and the requests between services.
import { type AnyOperation, operations } from './operations/contract.js';
import { type AnyServiceRequest, serviceRequests } from './service-requests/index.js';
import type { ServiceName } from './values/service-name.js';

/** Everything that a service answers over NATS. */
export type CallablesOf<S extends ServiceName> = Extract<
  AnyOperation | AnyServiceRequest,
  { readonly service: S }
>;

export const callables: readonly (AnyOperation | AnyServiceRequest)[] = [
  ...operations,
  ...Object.values(serviceRequests),
];
