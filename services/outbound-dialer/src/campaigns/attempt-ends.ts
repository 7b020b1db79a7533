// How the attempts of campaigns ended lately, for the circuit breaker. What was read is kept, and only newer ends are read besides.
import type { Tx } from '@parlance/postgres';
import type { SeenEnd } from '../rules/breaker.js';

/** More than enough for a judgement, few enough to be kept. */
const mostEnds = 1_000;
/** The read model may hear of an end this much later than of a newer one; what comes later still is found by the next whole read. */
const overlapMs = 2_000;
const wholeReadEveryMs = 10_000;
const forgetAfterMs = 60_000;

interface KnownEnd extends SeenEnd {
  readonly attemptId: string;
}

interface Seen {
  /** No end before it was read. */
  readonly from: number;
  readonly wholeReadAt: number;
  readonly readAt: number;
  /** Newest first. */
  readonly ends: readonly KnownEnd[];
}

/** Attempts that were abandoned before their dial do not count. */
const readEnds = async (tx: Tx, campaignId: string, since: Date): Promise<readonly KnownEnd[]> => {
  const { rows } = await tx.query<KnownEnd>({
    name: 'campaign-ends',
    text: `select a->>'attemptId' as "attemptId", a->>'endedAt' as at, a->>'status' as status, a->>'endedReason' as reason
           from outbound_calls c, jsonb_array_elements(c.state->'past') as a
           where c.campaign_id = $1 and c.updated_at > $2::timestamptz and a->>'endedAt' > $3
             and a->'isAbandoned' is null
           order by c.updated_at desc, a->>'endedAt' desc limit $4`,
    values: [campaignId, since.toISOString(), since.toISOString(), mostEnds],
  });
  return rows;
};

const newestFirst = (a: SeenEnd, b: SeenEnd): number => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0);

const merged = (newer: readonly KnownEnd[], older: readonly KnownEnd[]): readonly KnownEnd[] => {
  const known = new Set(newer.map(({ attemptId }) => attemptId));
  return [...newer, ...older.filter(({ attemptId }) => !known.has(attemptId))]
    .sort(newestFirst)
    .slice(0, mostEnds);
};

export class AttemptEnds {
  readonly #seen = new Map<string, Seen>();

  /** Ends of the campaign's attempts after `since`, newest first. */
  async since(tx: Tx, campaignId: string, since: Date, now: Date): Promise<readonly SeenEnd[]> {
    const from = since.getTime();
    const at = now.getTime();
    const seen = this.#seen.get(campaignId);
    const isUsable =
      seen !== undefined &&
      seen.from <= from &&
      at >= seen.readAt &&
      at - seen.wholeReadAt < wholeReadEveryMs;
    const newer = await readEnds(
      tx,
      campaignId,
      isUsable ? new Date(Math.max(from, seen.readAt - overlapMs)) : since,
    );
    const ends = merged(newer, isUsable ? seen.ends : []).filter((end) => Date.parse(end.at) > from);
    const wholeReadAt = isUsable ? seen.wholeReadAt : at;
    this.#seen.set(campaignId, { from, wholeReadAt, readAt: at, ends });
    return ends;
  }

  /** Forgets campaigns that nobody asked about lately. */
  forgetOld(now: Date): void {
    for (const [id, { readAt }] of this.#seen)
      if (Math.abs(now.getTime() - readAt) > forgetAfterMs) this.#seen.delete(id);
  }
}
