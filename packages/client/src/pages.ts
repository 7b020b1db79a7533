// Lists come in pages; a program that wants every record does not care.
import type { ApiAnswer, CallOptions } from './method/options.js';

type Page = ApiAnswer<readonly unknown[]>;
// `never` takes a method with any request: the real request type is read off the method itself.
type AnyListMethod = (request: never, options?: CallOptions) => Promise<Page>;
type RequestTo<List extends AnyListMethod> = NonNullable<Parameters<List>[0]>;
type RecordOf<List extends AnyListMethod> = Awaited<ReturnType<List>>['data'][number];

/**
 * Every record of a paged list, page after page, as they are asked for:
 * `for await (const call of everyRecord(client.calls.list, { query: { status: 'busy' } }))`.
 */
export async function* everyRecord<List extends AnyListMethod>(
  list: List,
  request: RequestTo<List>,
  options?: CallOptions,
): AsyncGenerator<RecordOf<List>, void, undefined> {
  const { query, ...rest }: { readonly query?: object } = request;
  let cursor: string | undefined;
  do {
    const next = { ...rest, query: { ...query, ...(cursor === undefined ? {} : { cursor }) } };
    // The same request with a cursor in its query, which every paged operation takes.
    const page = await list(next as unknown as never, options);
    yield* page.data as readonly RecordOf<List>[];
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
