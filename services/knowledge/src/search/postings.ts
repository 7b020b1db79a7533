// The postings of terms, over all segments of a corpus.
import type { Tx } from '@parlance/postgres';
import { ByteLru } from './byte-lru.js';
import { type Corpus, idsOf } from './corpora.js';
import type { Scope } from './served.js';

/** The occurrences of a term in a corpus. */
export interface Postings {
  /** The ids of the segments that were read. */
  readonly ids: string;
  /** For each segment the place of its first posting, and behind the last segment the number of postings. */
  readonly starts: Uint32Array;
  /** The places of the chunks in their segment. */
  readonly places: Uint16Array;
  /** Occurrences in the chunk, 255 at most. */
  readonly counts: Uint8Array;
}

interface Part {
  readonly places: Uint16Array;
  readonly counts: Uint8Array;
}

type Row =
  | { readonly segments: number }
  | {
      readonly segments: null;
      readonly term: string;
      /** In the order of their ids: the ids, the number of bytes of each, and its postings. */
      readonly ids: Buffer;
      readonly sizes: Buffer;
      readonly chunks: Buffer;
    };

const mostBytes = 64 * 2 ** 20;
/** The bytes of an entry without postings: its objects, its key and its place in the map. */
const bytesOfEntry = 512;

const decoded = (chunks: Buffer): Part => {
  const places = new Uint16Array(chunks.length / 4);
  const counts = new Uint8Array(places.length);
  for (let at = 0; at < places.length; at += 1) {
    const posting = chunks.readInt32BE(at * 4);
    places[at] = posting >> 8;
    counts[at] = posting & 255;
  }
  return { places, counts };
};

const joined = (ids: string, parts: readonly (Part | undefined)[]): Postings => {
  const starts = new Uint32Array(parts.length + 1);
  for (const [at, part] of parts.entries()) starts[at + 1] = (starts[at] ?? 0) + (part?.places.length ?? 0);
  const places = new Uint16Array(starts.at(-1) ?? 0);
  const counts = new Uint8Array(places.length);
  for (const [at, part] of parts.entries()) {
    if (part === undefined) continue;
    places.set(part.places, starts[at]);
    counts.set(part.counts, starts[at]);
  }
  return { ids, starts, places, counts };
};

const partsOf = ({ ids, starts, places, counts }: Postings): Map<string, Part> =>
  new Map(
    idsOf(ids).map((id, at) => [
      id,
      {
        places: places.subarray(starts[at], starts[at + 1]),
        counts: counts.subarray(starts[at], starts[at + 1]),
      },
    ]),
  );

export class PostingsOfTerms {
  readonly #kept = new ByteLru<string, Postings>(mostBytes);

  get bytes(): number {
    return this.#kept.bytes;
  }

  /**
   * Reads the missing postings: of a term that was asked for before, only the segments that are new since then.
   * Undefined when one of these was deleted meanwhile.
   */
  async read(
    tx: Tx,
    scope: Scope,
    { ids }: Corpus,
    { terms, segmentsWith }: WantedTerms,
  ): Promise<Map<string, Postings> | undefined> {
    const found = new Map<string, Postings>();
    const missing = new Map<string, Postings | undefined>();
    const wanted: Wanted[] = [];
    const freshSince = new Map<string, ReadonlySet<string>>();
    for (const term of terms) {
      // Another search may store other postings of the term before the new ones are read.
      const before = this.#kept.get(keyOf(scope, term));
      if (before?.ids === ids) found.set(term, before);
      else {
        missing.set(term, before);
        const fresh = freshSince.get(before?.ids ?? '') ?? added(ids, before?.ids ?? '');
        freshSince.set(before?.ids ?? '', fresh);
        const having = segmentsWith(term);
        const segments = having === undefined ? [...fresh] : having.filter((id) => fresh.has(id));
        for (const segment of segments) wanted.push({ segment, term });
      }
    }
    const read = await readParts(tx, scope, wanted);
    if (read === undefined) return undefined;
    const segments = missing.size === 0 ? [] : idsOf(ids);
    for (const [term, before] of missing) {
      const parts = before === undefined ? undefined : partsOf(before);
      const fresh = read.get(term);
      const postings = joined(
        ids,
        segments.map((id) => fresh?.get(id) ?? parts?.get(id)),
      );
      const key = keyOf(scope, term);
      const bytes = postings.starts.byteLength + postings.places.byteLength + postings.counts.byteLength;
      this.#kept.set(key, postings, bytesOfEntry + 2 * key.length + bytes);
      found.set(term, postings);
    }
    return found;
  }
}

export interface WantedTerms {
  readonly terms: readonly string[];
  /** The ids of the segments that have a term; undefined where any segment may have it. */
  readonly segmentsWith: (term: string) => readonly string[] | undefined;
}

interface Wanted {
  readonly segment: string;
  readonly term: string;
}

const added = (ids: string, idsBefore: string): Set<string> => {
  const before = new Set(idsOf(idsBefore));
  return new Set(idsOf(ids).filter((id) => !before.has(id)));
};

const keyOf = ({ organizationId, agentId }: Scope, term: string): string =>
  `${organizationId} ${agentId} ${term}`;

const partsOfRow = ({ ids, sizes, chunks }: Exclude<Row, { segments: number }>): Map<string, Part> => {
  const parts = new Map<string, Part>();
  let start = 0;
  for (let at = 0; at < sizes.length / 4; at += 1) {
    const end = start + sizes.readInt32BE(at * 4);
    parts.set(ids.readBigInt64BE(at * 8).toString(), decoded(chunks.subarray(start, end)));
    start = end;
  }
  return parts;
};

/**
 * The parts by term and segment; undefined when one of the segments is gone. A segment is deleted together with its
 * postings, and one statement sees both or neither.
 */
const readParts = async (
  tx: Tx,
  { organizationId, agentId }: Scope,
  wanted: readonly Wanted[],
): Promise<Map<string, Map<string, Part>> | undefined> => {
  if (wanted.length === 0) return new Map();
  const segments = [...new Set(wanted.map(({ segment }) => segment))];
  const { rows } = await tx.query<Row>({
    name: 'knowledge-postings',
    text: `with present as materialized (
        select id from knowledge_segments where organization_id = $1 and agent_id = $2 and id = any($3))
      select count(*)::int as segments, null as term, null::bytea as ids, null::bytea as sizes, null::bytea as chunks
      from present
      union all select null, p.term, string_agg(int8send(p.segment_id), '' order by p.segment_id),
        string_agg(int4send(length(p.chunks)), '' order by p.segment_id), string_agg(p.chunks, '' order by p.segment_id)
      from unnest($4::bigint[], $5::text[]) as w (segment_id, term) join present on present.id = w.segment_id
        cross join lateral (
          select segment_id, term, chunks from knowledge_postings
          where segment_id = w.segment_id and knowledge_postings.term = w.term limit 1) p
      group by p.term`,
    values: [
      ...[organizationId, agentId, segments],
      wanted.map(({ segment }) => segment),
      wanted.map(({ term }) => term),
    ],
  });
  const found = new Map<string, Map<string, Part>>();
  for (const row of rows) {
    if (row.segments === null) found.set(row.term, partsOfRow(row));
    else if (row.segments !== segments.length) return undefined;
  }
  return found;
};
