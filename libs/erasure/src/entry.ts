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
  /** An outbound call that is not shown any more, either. Other erasures of one leave its course. */
  isDeleted: z.literal(true).optional(),
});
export type Erasure = Readonly<z.infer<typeof Entry>>;

export const toLines = (erasures: readonly Erasure[]): string =>
  erasures
    .map(
      ({ organizationId, kind, id, at, isDeleted }) =>
        `${JSON.stringify({ organizationId, kind, id, at, isDeleted })}\n`,
    )
    .join('');

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

export interface ReadLines {
  readonly erasures: readonly Erasure[];
  /** False when a line is damaged, cut off, or of a kind that this release does not know. */
  readonly isComplete: boolean;
}

/** A file is never written without a line. */
export const fromLines = (text: string): ReadLines => {
  const lines = text.split('\n').filter((each) => each !== '');
  const entries = lines.map((line) => Entry.safeParse(parsed(line)));
  const erasures = entries.flatMap(({ data }) => data ?? []);
  return { erasures, isComplete: erasures.length > 0 && erasures.length === lines.length };
};
