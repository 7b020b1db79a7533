// The quality of the answers: recall@5 and nDCG@10 over judged questions, of several kinds of search side by side.
import { randomUUID } from 'node:crypto';
import { addSource, type Embedder, type Kind, Search } from '@parlance/knowledge';
import type { Database } from '@parlance/postgres';
import { showTable, tell, timed } from '../harness/report.js';
import type { JudgedQuestion, QuestionSet } from './question-set.js';

/** Keys of sections, best first. */
type Answers = (question: string) => Promise<string[]>;

const discount = (rank: number): number => 1 / Math.log2(rank + 2);

/** A section that was cut in several chunks counts once. */
const judge = async (answers: Answers, { question, relevant }: JudgedQuestion) => {
  if (relevant.length === 0) throw new Error(`no section answers "${question}"`);
  const found = [...new Set(await answers(question))];
  const isRelevant = (key: string): boolean => relevant.includes(key);
  const recall = found.slice(0, 5).filter(isRelevant).length / Math.min(5, relevant.length);
  const gain = found.slice(0, 10).reduce((sum, key, rank) => sum + (isRelevant(key) ? discount(rank) : 0), 0);
  const ideal = relevant.slice(0, 10).reduce((sum, _, rank) => sum + discount(rank), 0);
  return { recall, ndcg: gain / ideal };
};

/** A question that had no vector in time would be judged as one that found nothing. */
const insistent = (embedder: Embedder): Embedder => ({
  ...embedder,
  embedQuery: async (text) => (await embedder.embed([text]))[0],
});

const benchSet = async (
  db: Database,
  { name, language, sections, questions }: QuestionSet,
  embedder: Embedder | undefined,
): Promise<void> => {
  const scope = { organizationId: randomUUID(), agentId: randomUUID() };
  await timed(`${name}: ${sections.length} chunks indexed`, () =>
    addSource(db, {
      ...scope,
      chunks: sections.map((section) => ({ ...section, language })),
      ...(embedder && { embedder }),
    }),
  );
  const keyOf = new Map(sections.map(({ key, text }) => [text, key]));
  const search = new Search(db, embedder && insistent(embedder));
  const by =
    (...kinds: Kind[]): Answers =>
    async (query) =>
      (await search.find({ ...scope, query, limit: 20 }, kinds)).map(({ text }) => keyOf.get(text) ?? '');
  const plain: Answers = async (query) => {
    const { rows } = await db.query<{ text: string }>(
      `select c.text from knowledge_chunks c,
         to_tsquery('simple', replace(plainto_tsquery($4::regconfig, $3)::text, '&', '|')) q,
         to_tsvector($4::regconfig, array_to_string(c.headings, ' ') || ' ' || c.text) v
       where c.organization_id = $1 and c.agent_id = $2 and v @@ q order by ts_rank(v, q) desc limit 20`,
      [scope.organizationId, scope.agentId, query, language],
    );
    return rows.map(({ text }) => keyOf.get(text) ?? '');
  };
  const systems: readonly (readonly [string, Answers])[] = [
    ["Postgres' ts_rank", plain],
    ['words alone (BM25)', by('words')],
    ['words and similar words', by('words', 'similar')],
    ...(embedder === undefined
      ? []
      : [
          ['vectors alone', by('vectors')] as const,
          ['all of these', by('words', 'similar', 'vectors')] as const,
        ]),
  ];
  const rows: (string | number)[][] = [];
  let base: { recall: number; ndcg: number } | undefined;
  for (const [system, answers] of systems) {
    const sum = { recall: 0, ndcg: 0 };
    for (const question of questions) {
      const { recall, ndcg } = await judge(answers, question);
      sum.recall += recall / questions.length;
      sum.ndcg += ndcg / questions.length;
    }
    base ??= sum;
    const besides = [sum.recall / base.recall, sum.ndcg / base.ndcg].map((ratio) => ratio.toFixed(2));
    rows.push([system, sum.recall.toFixed(3), sum.ndcg.toFixed(3), ...besides]);
  }
  tell(`${name}: ${questions.length} questions, ${sections.length} chunks`);
  showTable(['search', 'recall@5', 'nDCG@10', 'recall / ts_rank', 'nDCG / ts_rank'], rows);
};

export const benchQuality = async (
  db: Database,
  sets: readonly QuestionSet[],
  /** Undefined for languages that the model does not know. */
  embedder: Embedder | undefined,
): Promise<void> => {
  if (embedder !== undefined) tell(`vectors are those of ${embedder.model}`);
  for (const set of sets) await benchSet(db, set, embedder);
};
