// Binds a service's handlers to the contract: a missing one does not compile, neither does one of a wrong type.
import { Controller, type Type } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import {
  type Callable,
  type CallablesOf,
  type Caller,
  callables,
  type Data,
  type Input,
  type ServiceName,
  type StreamEvent,
  type StreamingRow,
  subjectOf,
} from '@parlance/contracts';
import type { Answer } from './wire/answer.js';

/** The request of a handler: validated parts, the caller, and the deadline of the answer. */
export type RpcRequest<T extends Callable> = Input<T> & {
  readonly caller: Caller;
  readonly requestId: string;
  /** Epoch milliseconds; 0 when there is none. */
  readonly deadline: number;
  /** The same for every repetition of one command, when the sender can tell. */
  readonly commandId: string | undefined;
};

/** The request as the handler of a streamed answer receives it. */
export type StreamRequest<T extends StreamingRow> = RpcRequest<T> & {
  /** Aborted when the reader is gone, and when the time is over. */
  readonly signal: AbortSignal;
};

/** A streamed answer begins when the promise resolves. A handler that throws before refuses the request. */
export type StreamHandler<T extends StreamingRow> = (
  request: StreamRequest<T>,
) => Promise<AsyncIterable<StreamEvent<T>>>;

export type Handler<T extends Callable> = T extends StreamingRow
  ? StreamHandler<T>
  : (request: RpcRequest<T>) => Promise<Data<T> | Answer<Data<T>>>;

/** Every row of a service by id, with the type its handler must have. */
export type HandlersOf<S extends ServiceName> = {
  [Row in CallablesOf<S> as Row['id']]: Handler<Row>;
};

const rows: ReadonlyMap<string, Callable> = new Map(callables.map((row) => [row.id, row]));

const methodNames = (target: Type): string[] =>
  Object.getOwnPropertyNames(target.prototype).filter((name) => name !== 'constructor');

/**
 * Class decorator: every method that is named after a row of the contract answers that row,
 * such as `async 'agents.create'({ body, caller }: RpcRequest<typeof contract.agentsCreate>) {}`.
 * @throws Error for a method with a dot in its name that is no row: a misspelt one would never be called
 */
export const Serves = () => (target: Type) => {
  Controller()(target);
  for (const name of methodNames(target)) {
    const row = rows.get(name);
    if (row === undefined && name.includes('.')) throw new Error(`${target.name}: no row is called ${name}`);
    const descriptor = Object.getOwnPropertyDescriptor(target.prototype, name);
    if (row !== undefined && descriptor !== undefined)
      MessagePattern(subjectOf(row))(target.prototype, name, descriptor);
  }
};

/** Private members of two classes with one name would make their intersection `never`, which has every handler. */
type PublicMembers<T> = { readonly [K in keyof T]: T[K] };

type Instances<C extends readonly Type[]> = C extends readonly [Type<infer First>, ...infer Rest]
  ? PublicMembers<First> & (Rest extends readonly Type[] ? Instances<Rest> : unknown)
  : unknown;

/** Ids of `Wanted` whose handler is absent from `Present`, or of another type. */
type Unanswered<Wanted, Present> = {
  [Id in keyof Wanted]: Id extends keyof Present ? (Present[Id] extends Wanted[Id] ? never : Id) : Id;
}[keyof Wanted];

type Complete<S extends ServiceName, C extends readonly Type[], Unserved> = [
  Unanswered<Omit<HandlersOf<S>, Extract<Unserved, PropertyKey>>, Instances<C>>,
] extends [never]
  ? unknown
  : {
      readonly handlerMissingOrOfAnotherType: Unanswered<
        Omit<HandlersOf<S>, Extract<Unserved, PropertyKey>>,
        Instances<C>
      >;
    };

/**
 * Returns the controllers of a service, if together they answer every row of it exactly once.
 * @returns a function of the controllers, and of the rows that no controller serves yet; asking for one of those
 *   answers SERVICE_UNAVAILABLE
 * @throws Error when a row has two handlers, a handler belongs to another service, or a class bypassed the types
 */
export const completeHandlers =
  <S extends ServiceName>(service: S) =>
  <const C extends readonly Type[], const U extends readonly (keyof HandlersOf<S>)[] = readonly []>(
    controllers: C & Complete<S, C, U[number]>,
    unserved?: U,
  ): Type[] => {
    const classes: readonly Type[] = controllers;
    const answered = classes.flatMap(methodNames).filter((name) => rows.has(name));
    const wanted = callables
      .filter((row) => row.service === service)
      .map((row): string => row.id)
      .filter((id) => !(unserved ?? []).some((later) => later === id));
    const wrong = [
      ...wanted.filter((id) => !answered.includes(id)),
      ...answered.filter((id, index) => !wanted.includes(id) || answered.indexOf(id) !== index),
    ];
    if (wrong.length > 0)
      throw new Error(`${service}: handlers do not match the contract: ${wrong.join(', ')}`);
    return [...classes];
  };
