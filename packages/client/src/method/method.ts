// The shapes of the client's methods. The generated interface `Client` fills them with the types of each operation.
import type { ApiAnswer, CallOptions } from './options.js';

/** An object with these fields, and further ones, of which the platform says itself whether it takes them. */
export type Open<Known> = Known & { [key: string]: unknown };

/** The request of an operation that takes nothing. */
export type NoRequest = Record<never, never>;

type Arguments<Request> = NoRequest extends Request
  ? [request?: Request, options?: CallOptions]
  : [request: Request, options?: CallOptions];

/** One operation as a function. @throws ApiError */
export type Method<Request, Data> = (...given: Arguments<Request>) => Promise<ApiAnswer<Data>>;

/** An operation that answers a list, page by page where the list is long. @throws ApiError */
export interface ListMethod<Request, Item> {
  (...given: Arguments<Request>): Promise<ApiAnswer<Item[]>>;
  /** Every item of the list, asked for page by page as a loop goes on. */
  all(...given: Arguments<Request>): AsyncGenerator<Item, void, undefined>;
}

/**
 * An operation that answers a file as text. The promise is kept when the file begins; its pieces are read once, as they
 * arrive. Leaving the loop ends the request, and a file that breaks off is thrown. @throws ApiError
 */
export type TextMethod<Request> = (...given: Arguments<Request>) => Promise<AsyncIterable<string>>;

/** An event of a streamed answer. `id` is there where the platform gives events ids. */
export type StreamedEvent<Events> = {
  readonly [Name in keyof Events & string]: {
    readonly event: Name;
    readonly data: Events[Name];
    readonly id?: string;
  };
}[keyof Events & string];

/**
 * An operation that answers a stream. The promise is kept when the stream begins; its events are read once. Leaving the
 * loop ends the request. @throws ApiError, also from the loop
 */
export type StreamMethod<Request, Events> = (
  ...given: Arguments<Request>
) => Promise<AsyncIterable<StreamedEvent<Events>>>;
