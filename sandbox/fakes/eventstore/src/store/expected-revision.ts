// Decides whether an append may happen, in the order of EventStoreDB's own commit check.

/** EventStoreDB's numbers for the expectations that are not a revision. */
export const EXPECT_ANY = -2;
export const EXPECT_NO_STREAM = -1;
export const EXPECT_STREAM_EXISTS = -4;

/** The facts that the check needs of the stream as it is now. */
export interface StreamFacts {
  /** Newest revision; -1 when there is none. */
  readonly last: number;
  readonly tombstoned: boolean;
  readonly softDeleted: boolean;
  hasMetadata(): boolean;
  /** Newest revision that holds this event id. */
  revisionOf(id: Buffer): number | undefined;
  /** Whether the event at this revision has this id. */
  holds(revision: number, id: Buffer): boolean;
}

export type AppendDecision =
  | { readonly kind: 'append' }
  /** The same events are already there; `last` is the revision of the last of them. */
  | { readonly kind: 'already-there'; readonly last: number }
  | { readonly kind: 'wrong-revision' }
  | { readonly kind: 'deleted' };

const APPEND: AppendDecision = { kind: 'append' };
const WRONG: AppendDecision = { kind: 'wrong-revision' };

/** Compares the stream with the writer's expectation; ids tell a repeated append from a conflicting one. */
export function decideAppend(facts: StreamFacts, expected: number, ids: readonly Buffer[]): AppendDecision {
  if (facts.tombstoned) return { kind: 'deleted' };
  if (expected === EXPECT_STREAM_EXISTS) {
    if (facts.softDeleted) return { kind: 'deleted' };
    if (facts.last < 0 && !facts.hasMetadata()) return WRONG;
  }
  if (expected === EXPECT_ANY || expected === EXPECT_STREAM_EXISTS) return repeatedAnywhere(facts, ids);
  if (expected === facts.last) return APPEND;
  return expected < facts.last ? repeatedAfter(facts, expected, ids) : WRONG;
}

function repeatedAnywhere(facts: StreamFacts, ids: readonly Buffer[]): AppendDecision {
  const revisions = ids.map((id) => facts.revisionOf(id));
  const [first] = revisions;
  if (first === undefined) return APPEND;
  const last = revisions.at(-1);
  // Only a part of the events is there: neither a repetition nor a new append.
  return last === undefined || revisions.includes(undefined) ? WRONG : { kind: 'already-there', last };
}

function repeatedAfter(facts: StreamFacts, expected: number, ids: readonly Buffer[]): AppendDecision {
  const matching = ids.findIndex((id, index) => !facts.holds(expected + 1 + index, id));
  if (matching === -1 && ids.length > 0) return { kind: 'already-there', last: expected + ids.length };
  // A soft-deleted stream may be begun again as if it were not there; its revisions continue.
  return matching === 0 && expected === EXPECT_NO_STREAM && facts.softDeleted ? APPEND : WRONG;
}
