// The quality of the answers: recall@5 and nDCG@10 over judged questions.
import { randomUUID } from 'node:crypto';
import { addSource, type Embedder, type Kind, Search } from '@parlance/knowledge';
import type { Database } from '@parlance/persistence';
import { showTable, tell } from '../report.js';
import { readCorpus } from './corpus.js';
import { type JudgedQuestion, questions } from './questions.js';

/** Keys of sections, best first. */
type Answers = (question: string) => Promise<string[]>;

const discount = (rank: number): number => 1 / Math.log2(rank + 2);

/** A section that was cut in several chunks counts once. */
const judge = async (answers: Answers, { question, relevant }: JudgedQuestion, keys: ReadonlySet<string>) => {
  const isRelevant = (key: string): boolean =>
    relevant.some((beginning) => key.startsWith(beginning) && !/^[A-Za-z]/.test(key.slice(beginning.length)));
  const wanted = [...keys].filter(isRelevant);
  if (wanted.length === 0) throw new Error(`the manual has no section for "${question}"`);
  const found = [...new Set(await answers(question))];
  const recall = found.slice(0, 5).filter(isRelevant).length / Math.min(5, wanted.length);
  const gain = found.slice(0, 10).reduce((sum, key, rank) => sum + (isRelevant(key) ? discount(rank) : 0), 0);
  const ideal = wanted.slice(0, 10).reduce((sum, _, rank) => sum + discount(rank), 0);
  return { recall, ndcg: gain / ideal };
};

export const benchQuality = async (db: Database, embedder: Embedder | undefined): Promise<void> => {
  const sections = readCorpus();
  const scope = { organizationId: randomUUID(), agentId: randomUUID() };
  await addSource(db, { ...scope, chunks: sections, ...(embedder && { embedder }) });
  const keyOf = new Map(sections.map(({ key, text }) => [text, key]));
  const keys = new Set(keyOf.values());
  const search = new Search(db, embedder);
  const by =
    (...kinds: Kind[]): Answers =>
    async (query) =>
      (await search.find({ ...scope, query, limit: 20 }, kinds)).map(({ text }) => keyOf.get(text) ?? '');
  const plain: Answers = async (query) => {
    const { rows } = await db.query<{ text: string }>(
      `select c.text from knowledge_chunks c,
         to_tsquery('english', replace(plainto_tsquery('english', $3)::text, '&', '|')) q,
         to_tsvector('english', array_to_string(c.headings, ' ') || ' ' || c.text) v
       where c.organization_id = $1 and c.agent_id = $2 and v @@ q order by ts_rank(v, q) desc limit 20`,
      [scope.organizationId, scope.agentId, query],
    );
    return rows.map(({ text }) => keyOf.get(text) ?? '');
  };
  const systems: [string, Answers][] = [
    ["Postgres' ts_rank", plain],
    ['full text alone (BM25)', by('words')],
    ['hybrid without vectors', by('words', 'names')],
    ...(embedder === undefined
      ? []
      : ([
          ['vectors alone', by('vectors')],
          ['hybrid', by('words', 'names', 'vectors')],
        ] satisfies [string, Answers][])),
  ];
  if (embedder === undefined) tell('without EMBEDDINGS_URL, vectors take no part');
  const rows: (string | number)[][] = [];
  let base: { recall: number; ndcg: number } | undefined;
  for (const [name, answers] of systems) {
    const sum = { recall: 0, ndcg: 0 };
    for (const question of questions) {
      const { recall, ndcg } = await judge(answers, question, keys);
      sum.recall += recall / questions.length;
      sum.ndcg += ndcg / questions.length;
    }
    base ??= sum;
    const besides = [sum.recall / base.recall, sum.ndcg / base.ndcg].map((ratio) => ratio.toFixed(2));
    rows.push([name, sum.recall.toFixed(3), sum.ndcg.toFixed(3), ...besides]);
  }
  tell(`${questions.length} questions, ${sections.length} chunks of ${keys.size} sections`);
  showTable(['search', 'recall@5', 'nDCG@10', 'recall / ts_rank', 'nDCG / ts_rank'], rows);
};
