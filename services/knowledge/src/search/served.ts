// The segments that are served at this moment, and the terms of a question in the languages of their chunks.
import type { Tx } from '@parlance/postgres';

export interface Scope {
  readonly organizationId: string;
  readonly agentId: string;
}

export interface Served {
  /** Ids of the segments, in order, with a space between them. Segments never change: equal ids are equal contents. */
  readonly ids: string;
  /** The terms of each word of the question that is no stop word. */
  readonly termsOfWord: ReadonlyMap<string, readonly string[]>;
}

interface Row {
  readonly ids: string | null;
  readonly word: string | null;
  readonly term: string;
}

const text = `
  with served as materialized (
    select g.id, g.languages
    from knowledge_segments g join knowledge_sources s
      on s.organization_id = g.organization_id and s.id = g.source_id and s.generation = g.generation
    where g.organization_id = $1 and g.agent_id = $2)
  select string_agg(id::text, ' ' order by id) as ids, null as word, null as term from served
  union all select distinct null, word, lexeme
  from (select distinct unnest(languages) as language from served) l, unnest($3::text[]) as word,
    unnest(to_tsvector(l.language::regconfig, word))`;

/** One statement, so that its answer is of one moment. */
export const readServed = async (
  db: Tx,
  { organizationId, agentId }: Scope,
  words: readonly string[],
): Promise<Served> => {
  const { rows } = await db.query<Row>({
    name: 'knowledge-served',
    text,
    values: [organizationId, agentId, words],
  });
  const termsOfWord = new Map<string, string[]>();
  let ids = '';
  for (const row of rows) {
    if (row.word === null) ids = row.ids ?? '';
    else termsOfWord.set(row.word, [...(termsOfWord.get(row.word) ?? []), row.term]);
  }
  return { ids, termsOfWord };
};
