// Binds a service's handlers to the contract: a missing one does not compile, neither does one of a wrong type.

import type { Type } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import type { Callable } from '@parlance/contracts';
import {
  type CallablesOf,
  type Caller,
  callables,
  type Data,
  type Input,
  type ServiceName,
  subjectOf,
} from '@parlance/contracts';
import type { Answer } from './answer.js';

/** What a handler receives: validated parts, who asks, and how long the answer is waited for. */
export type RpcRequest<T extends Callable> = Input<T> & {
  readonly caller: Caller;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** The same for every repetition under one Idempotency-Key. */
  readonly commandId?: string;
};

export type Handler<T extends Callable> = (request: RpcRequest<T>) => Promise<Data<T> | Answer<Data<T>>>;

/** Every row of a service by id, with the type its handler must have. */
export type HandlersOf<S extends ServiceName> = {
  [Row in CallablesOf<S> as Row['id']]: Handler<Row>;
};

const subjects = new Map(callables.map((row) => [row.id as string, subjectOf(row)]));

/**
 * Class decorator: every method that is named after a row of the contract answers that row,
 * such as `async 'agents.create'({ body, caller }: RpcRequest<typeof contract.agentsCreate>) {}`.
 */
export const Serves = () => (target: Type<unknown>) => {
  for (const name of Object.getOwnPropertyNames(target.prototype)) {
    const subject = subjects.get(name);
    const descriptor = Object.getOwnPropertyDescriptor(target.prototype, name);
    if (subject !== undefined && descriptor) MessagePattern(subject)(target.prototype, name, descriptor);
  }
};

type Instances<C extends readonly Type<unknown>[]> = C extends readonly [infer First, ...infer Rest]
  ? (First extends Type<infer I> ? I : never) &
      (Rest extends readonly Type<unknown>[] ? Instances<Rest> : unknown)
  : unknown;

type Complete<
  S extends ServiceName,
  C extends readonly Type<unknown>[],
  Unserved extends keyof HandlersOf<S>,
> =
  Instances<C> extends Omit<HandlersOf<S>, Unserved>
    ? unknown
    : { readonly missing: Exclude<keyof HandlersOf<S>, Unserved | keyof Instances<C>> };

/**
 * Returns the controllers of a service, if together they answer every row of it.
 * @param unserved rows whose handlers come later; asking for one answers SERVICE_UNAVAILABLE
 */
export const completeHandlers =
  <S extends ServiceName>(_service: S) =>
  <const C extends readonly Type<unknown>[], const U extends readonly (keyof HandlersOf<S>)[] = readonly []>(
    controllers: C & Complete<S, C, U[number]>,
    ..._unserved: U
  ): Type<unknown>[] => [...controllers];
