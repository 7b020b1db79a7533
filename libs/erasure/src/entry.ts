// One line of the log. It outlives the data that it is about, so it has identifiers only.
import { z } from 'zod';

export const erasureKinds = [
  'call',
  'outbound-call',
  'campaign',
  'recipient',
  'person',
  'organization',
  'account',
] as const;
export type ErasureKind = (typeof erasureKinds)[number];

const Entry = z.object({
  /** Empty for an account, which may belong to several. */
  organizationId: z.string(),
  kind: z.enum(erasureKinds),
  /**
   * The identifier of what was erased. For a person it is the keyed hash under which the service finds the number, never the
   * number itself.
   */
  id: z.string().min(1),
  /** Time of the request. */
  at: z.string(),
});
export type Erasure = Readonly<z.infer<typeof Entry>>;

export const toLines = (erasures: readonly Erasure[]): string =>
  erasures
    .map(({ organizationId, kind, id, at }) => `${JSON.stringify({ organizationId, kind, id, at })}\n`)
    .join('');

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/** Undefined when a line is damaged, or is of a kind that this release does not know. */
export const fromLines = (text: string): Erasure[] | undefined => {
  const entries: Erasure[] = [];
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const entry = Entry.safeParse(parsed(line));
    if (!entry.success) return undefined;
    entries.push(entry.data);
  }
  return entries;
};
