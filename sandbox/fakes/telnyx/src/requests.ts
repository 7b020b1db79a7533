// Reading requests. Fields that this stand-in does not act on are refused and not ignored.
import type { Request } from 'express';
import { z } from 'zod';
import { badRequest, unprocessable } from './errors.js';

const largestPage = 250;
const page = z.object({
  number: z.coerce.number().int().min(1).default(1),
  size: z.coerce.number().int().min(1).max(largestPage).default(20),
});

const complain = (error: z.ZodError): string => {
  const [issue] = error.issues;
  const where = issue?.path.join('.') ?? '';
  return issue?.code === 'unrecognized_keys'
    ? `This stand-in does not implement ${[where, issue.keys.join(', ')].filter(Boolean).join('.')}`
    : `${where}: ${issue?.message ?? 'invalid'}`;
};

/** The query of a list. @throws TelnyxError 400 */
export const queryOf = <T extends z.ZodType>(request: Request, filter: T, sorts: readonly string[] = []) => {
  const parsed = z
    .strictObject({
      filter: z.preprocess((given) => given ?? {}, filter),
      page: page.prefault({}),
      sort: z.enum(sorts.flatMap((name) => [name, `-${name}`])).optional(),
    })
    .safeParse(request.query);
  if (!parsed.success) throw badRequest(complain(parsed.error));
  return parsed.data;
};

/** The body of a request. @throws TelnyxError 422 with a pointer to the field */
export const bodyOf = <T extends z.ZodType>(request: Request, schema: T): z.output<T> => {
  const parsed = schema.safeParse(request.body ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const pointer = `/${issue?.path.join('/') ?? ''}`;
  const missing = issue?.code === 'invalid_type' && issue.message.endsWith('received undefined');
  throw missing
    ? unprocessable('10004', 'Missing required parameter', complain(parsed.error), pointer)
    : unprocessable('10015', 'Bad Request', complain(parsed.error), pointer);
};

/** One page of a list, in the provider's envelope. */
export const paged = <T>(
  all: readonly T[],
  { number, size }: z.output<typeof page>,
  json: (item: T) => object,
): object => ({
  data: all.slice((number - 1) * size, number * size).map(json),
  meta: {
    page_number: number,
    page_size: size,
    total_pages: Math.max(1, Math.ceil(all.length / size)),
    total_results: all.length,
  },
});
