// A search finds the chunks of the served generation of one agent of one organization. Their order is BM25 over the
// statistics of that moment. A search finds misheard names and other scripts, and takes a question for nothing but
// words.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Passage } from '@parlance/contracts';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import fc from 'fast-check';
import { type Embedder, EmbeddingFailed } from '../embeddings/embeddings.js';
import {
  addSource,
  deleteGeneration,
  type NewChunk,
  serve,
  writeGeneration,
} from '../samples/indexed-sources.js';
import { knowledgeForAgent } from './for-agent.js';
import { scoreWords } from './full-text.js';
import { indexChunks } from './index-chunks.js';
import { Search } from './search.js';
import { Vocabularies } from './vocabularies.js';
import { WordIndex } from './word-index.js';

let engines: TestEngines;
let db: Database;
let search: Search;

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  const { url } = await engines.databaseFor('knowledge');
  db = createDatabase({ url, applicationName: 'test' });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
  search = new Search(db, undefined);
});
afterAll(async () => {
  await db?.end();
  await engines?.stop();
});

const newAgent = () => ({ organizationId: randomUUID(), agentId: randomUUID() });
type Agent = ReturnType<typeof newAgent>;
const ask = (agent: Agent, query: string, limit = 5): Promise<Passage[]> =>
  search.find({ ...agent, query, limit });
const texts = async (agent: Agent, query: string): Promise<string[]> =>
  (await ask(agent, query)).map(({ text }) => text);
const plain = (...lines: string[]): NewChunk[] => lines.map((text) => ({ text, language: 'simple' }));

/** Kept over all tests, as a process keeps it over all searches. */
const index = new WordIndex();

/** The scores of a search, by chunk text. */
const scoresOf = async (
  agent: Agent,
  words: string[],
  { from = index, withSimilar = false } = {},
): Promise<Map<string, number>> => {
  const found = await from.read(db, agent, { words, compounds: [], pairs: [] }, withSimilar);
  const { corpus } = found;
  const scores = scoreWords(corpus, found.words);
  const { rows } = await db.query<{ text: string; place: number }>(
    `select c.text, array_position($3::bigint[], g.id) * 1000 + array_position(g.chunk_ids, c.id) as place
     from knowledge_segments g join knowledge_chunks c
       on c.organization_id = g.organization_id and c.source_id = g.source_id and c.generation = g.generation
       and c.id = any(g.chunk_ids)
     where g.organization_id = $1 and g.agent_id = $2 and g.id = any($3) order by place`,
    [agent.organizationId, agent.agentId, corpus.segments.map(({ id }) => id)],
  );
  return new Map(rows.map(({ text }, at) => [text, scores[at] ?? Number.NaN]));
};

/** BM25 as the textbook has it, word by word. */
const naive = (documents: readonly string[], question: readonly string[]): number[] => {
  const split = documents.map((text) => text.split(' '));
  const average = split.reduce((sum, words) => sum + words.length, 0) / split.length;
  return split.map((words) =>
    question.reduce((score, word) => {
      const frequency = split.filter((other) => other.includes(word)).length;
      if (frequency === 0) return score;
      const count = words.filter((other) => other === word).length;
      const idf = Math.log(1 + (split.length - frequency + 0.5) / (frequency + 0.5));
      return score + (idf * count * 2.6) / (count + 1.6 * (0.25 + (0.75 * words.length) / average));
    }, 0),
  );
};

it('scores a small corpus as BM25 by hand does', async () => {
  const agent = newAgent();
  await addSource(db, { ...agent, chunks: plain('alpha beta', 'alpha alpha gamma delta') });
  const scores = await scoresOf(agent, ['alpha', 'gamma']);
  // Average length 3. alpha: idf ln(1 + 0.5 / 2.5) = 0.18232; gamma: idf ln(1 + 1.5 / 1.5) = 0.69315.
  // First: 0.18232 * 2.6 / (1 + 1.6 * (0.25 + 0.75 * 2 / 3)) = 0.21546.
  // Second: 0.18232 * 5.2 / (2 + 1.6 * 1.25) + 0.69315 * 2.6 / (1 + 1.6 * 1.25) = 0.23702 + 0.60073.
  expect(scores.get('alpha beta')).toBeCloseTo(0.21547, 4);
  expect(scores.get('alpha alpha gamma delta')).toBeCloseTo(0.83775, 4);
});

it('scores every corpus as a naive implementation does, however it is spread over sources', async () => {
  const word = fc.constantFrom('ant', 'bee', 'cat', 'dog', 'elk');
  const document = fc.array(word, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { minLength: 1, maxLength: 8 }),
      fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 0, max: 8 }),
      async (documents, question, cut) => {
        const agent = newAgent();
        // The number makes each text its own; it is a word of both implementations.
        const all = documents.map((words, at) => [...words, `n${at}`].join(' '));
        for (const part of [all.slice(0, cut), all.slice(cut)])
          if (part.length > 0) await addSource(db, { ...agent, chunks: plain(...part) });
        const scores = await scoresOf(agent, question);
        for (const [at, expected] of naive(all, question).entries())
          expect(scores.get(all[at] ?? '')).toBeCloseTo(expected, 4);
      },
    ),
    { numRuns: 6 },
  );
});

it('has the statistics of the served chunks while generations are swapped and deleted', async () => {
  const agent = newAgent();
  const stays = await addSource(db, { ...agent, chunks: plain('ant bee', 'bee cat') });
  const swaps = async (): Promise<void> => {
    let before = await addSource(db, { ...agent, chunks: plain('ant ant ant') });
    for (let round = 0; round < 4; round += 1) {
      const next = await writeGeneration(db, {
        ...agent,
        sourceId: before.sourceId,
        chunks: plain('ant dog'),
      });
      await serve(db, next);
      await deleteGeneration(db, before);
      before = next;
    }
  };
  let isOver = false;
  const swapping = Promise.all([swaps(), swaps(), swaps()]).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const question = { words: ['ant'], compounds: [], pairs: [] };
    const { corpus, words } = await index.read(db, agent, question, false);
    // Every chunk but one of the source that stays says "ant". Exactly one generation of every source counts.
    expect(words[0]?.[0]?.postings.places.length).toBe(corpus.chunkCount - 1);
    // The source that stays and at most one generation of each of the three others.
    expect(corpus.segments.length).toBeLessThanOrEqual(4);
  }
  await swapping;
  const expected = naive(['ant bee', 'bee cat', 'ant dog', 'ant dog', 'ant dog'], ['ant', 'dog']);
  const scores = await scoresOf(agent, ['ant', 'dog']);
  expect(scores.get('ant bee')).toBeCloseTo(expected[0] ?? 0, 4);
  expect(scores.get('ant dog')).toBeCloseTo(expected[2] ?? 0, 4);
  await deleteGeneration(db, stays);
  const { rows } = await db.query<{ segments: number; postings: number }>(
    `select count(distinct g.id)::int as segments, count(distinct p.segment_id)::int as postings
     from knowledge_segments g left join knowledge_postings p on p.segment_id = g.id where g.organization_id = $1`,
    [agent.organizationId],
  );
  // The index holds the served generation of each swapped source, and nothing else.
  expect(rows).toEqual([{ segments: 3, postings: 3 }]);
});

it('answers from what it keeps as a process does that has just started, after every swap and deletion', async () => {
  const word = fc.constantFrom('ant', 'ants', 'bee', 'cat', 'cats', 'katt');
  const texts = fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 });
  const step = fc.record({ source: fc.nat(2), texts, question: fc.uniqueArray(word, { minLength: 1 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
      const agent = newAgent();
      const servedOf = new Map<number, Awaited<ReturnType<typeof addSource>>>();
      for (const [at, { source, texts, question }] of steps.entries()) {
        const before = servedOf.get(source);
        const chunks = plain(...texts.map((words, place) => [...words, `n${at}x${place}`].join(' ')));
        const after = await addSource(db, { ...agent, chunks, ...(before && { sourceId: before.sourceId }) });
        servedOf.set(source, after);
        const expectEqualScores = async (): Promise<void> => {
          const [kept, fresh] = [{ withSimilar: true }, { withSimilar: true, from: new WordIndex() }];
          expect(await scoresOf(agent, question, kept)).toEqual(await scoresOf(agent, question, fresh));
        };
        // The chunks of the generation before are there for a while longer, and nothing counts them.
        await expectEqualScores();
        if (before !== undefined) await deleteGeneration(db, before);
        await expectEqualScores();
      }
    }),
    { numRuns: 5 },
  );
});

it('indexes a generation once, also when two more calls index it at the same time', async () => {
  const agent = newAgent();
  const chunks = Array.from({ length: 600 }, (_, at) => ({ text: `item${at} shelf`, language: 'simple' }));
  const written = await addSource(db, { ...agent, chunks });
  await Promise.all([
    indexChunks({ db, embedder: undefined }, written),
    indexChunks({ db, embedder: undefined }, written),
  ]);
  const counted = async (): Promise<number> =>
    (await index.read(db, agent, { words: [], compounds: [], pairs: [] })).corpus.chunkCount;
  expect(await counted()).toBe(600);
  expect(await texts(agent, 'item599')).toEqual(['item599 shelf']);
});

it("finds nothing of another agent, another organization or a generation that isn't served", async () => {
  const agent = newAgent();
  const neighbour = { organizationId: agent.organizationId, agentId: randomUUID() };
  const stranger = { organizationId: randomUUID(), agentId: agent.agentId };
  const first = await addSource(db, {
    ...agent,
    chunks: [{ text: 'The old opening hours are nine to five.' }],
  });
  expect(await ask(neighbour, 'opening hours')).toEqual([]);
  expect(await ask(stranger, 'opening hours')).toEqual([]);
  const next = await writeGeneration(db, {
    ...agent,
    sourceId: first.sourceId,
    chunks: [{ text: 'Opening hours: ten to six.' }],
  });
  expect(await texts(agent, 'opening hours')).toEqual(['The old opening hours are nine to five.']);
  await serve(db, next);
  expect(await texts(agent, 'opening hours')).toEqual(['Opening hours: ten to six.']);
});

it('answers a passage with its source, its headings and where it stands', async () => {
  const agent = newAgent();
  const headings = ['Clinic', 'Parking'];
  const written = await addSource(db, {
    ...agent,
    name: 'House',
    chunks: [{ headings, text: 'Behind the building.' }],
  });
  expect(await ask(agent, 'where can I park')).toEqual([
    {
      knowledgeSourceId: written.sourceId,
      chunkId: written.chunkIds[0],
      sourceName: 'House',
      url: null,
      headings,
      text: 'Behind the building.',
      context: null,
      score: expect.any(Number),
      start: 0,
      end: 20,
    },
  ]);
});

it.each([
  [
    'so I wanted to ask for catherine vishnevska please',
    'Doctor Katarzyna Wiśniewska sees children on Mondays.',
  ],
  ['can I speak to doctor shmit', 'Our surgeon, Herr Schmidt, operates on Tuesdays.'],
  ['is kristofer available', 'Appointments with Christopher are made online.'],
])('finds a misheard name: %s', async (question, expected) => {
  const agent = newAgent();
  const others = [
    'Doctor Maria Lopez sees adults.',
    'Our nurse, Robert Brown, is here daily.',
    'Appointments can be moved.',
  ];
  await addSource(db, { ...agent, chunks: [...others, expected].map((text) => ({ text })) });
  expect(await texts(agent, question)).toContain(expected);
});

const catalogue: readonly NewChunk[] = [
  ['Couplings', 'Price of the titanium one: 340 euros. Delivery takes six weeks.'],
  ['Bearings', 'Price of the ceramic one: 75 euros. Delivery takes two days.'],
  ['Flywheels', 'Price of the phosphor bronze one: 910 euros. Delivery takes a month.'],
  [
    'Prices and delivery',
    'All prices are without tax. Delivery is by lorry, and its price depends on the distance.',
  ],
].map(([title = '', text = '']) => ({ headings: ['Parts', title], text }));

it.each([
  ['price and delivery of the titanium coupling', 0],
  ['titainium kuplings price', 0],
  ['what is the delivery of a seramic baring', 1],
  ['fosfor brons flywheals', 2],
] as const)('finds misheard words of any kind, and those of a title: %s', async (question, expected) => {
  const agent = newAgent();
  await addSource(db, { ...agent, chunks: catalogue });
  expect((await texts(agent, question))[0]).toBe(catalogue[expected]?.text);
});

it('prefers the passage with the word in its own title', async () => {
  const agent = newAgent();
  const below = { headings: ['Bearings'], text: 'Kept in stock, in all of the usual sizes.' };
  const beside = { headings: ['Stock'], text: 'Kept here: bearings, in all of the usual sizes.' };
  await addSource(db, { ...agent, chunks: [beside, below] });
  expect(await texts(agent, 'bearings')).toEqual([below.text, beside.text]);
});

it('finds similar words in segments that an older release wrote', async () => {
  const agent = newAgent();
  await addSource(db, { ...agent, chunks: catalogue });
  await db.query('update knowledge_segments set terms = null where organization_id = $1', [
    agent.organizationId,
  ]);
  expect((await texts(agent, 'titainium kuplings price'))[0]).toBe(catalogue[0]?.text);
});

it('finds similar words of every source of an agent with many', async () => {
  const agent = newAgent();
  const names = ['gearbox', 'flywheel', 'bearing', 'coupling', 'sprocket', 'camshaft', 'crankcase', 'piston'];
  const seen: string[] = [];
  // A search after each source keeps the words of each by themselves, until they are too many.
  for (const name of [...names, 'dashboard', 'windscreen']) {
    await addSource(db, { ...agent, chunks: [{ text: `One ${name} is in stock.` }] });
    seen.push(...(await texts(agent, `${name.slice(0, 2)}${name.slice(1)}z`)).slice(0, 1));
  }
  expect(seen).toEqual([...names, 'dashboard', 'windscreen'].map((name) => `One ${name} is in stock.`));
  expect((await texts(agent, 'a gairbocks'))[0]).toBe('One gearbox is in stock.');
});

it('finds a word of the knowledge that the question has as two words', async () => {
  const agent = newAgent();
  const chunks = ['Search our shop by colour.', 'Elasticsearch takes the logs.', 'Rubber bands are elastic.'];
  await addSource(db, { ...agent, chunks: chunks.map((text) => ({ text })) });
  expect(await texts(agent, 'ship it to elastic search')).toContain('Elasticsearch takes the logs.');
});

it.each([
  ['你们几点关门', '我们晚上八点关门。', '停车场在大楼后面。'],
  ['駐車場はどこですか', '駐車場は建物の裏にあります。', '営業時間は九時からです。'],
  ['ที่จอดรถอยู่ไหน', 'ที่จอดรถอยู่หลังอาคาร', 'เปิดเก้าโมงเช้า'],
  ['где парковка', 'Парковка за зданием.', 'Мы открыты с девяти.'],
  ['وقوف السيارات', 'وقوف السيارات خلف المبنى', 'نفتح في التاسعة'],
])('finds %s in its script', async (question, expected, other) => {
  const agent = newAgent();
  await addSource(db, { ...agent, chunks: plain(other, expected) });
  expect((await texts(agent, question))[0]).toBe(expected);
});

it.each([
  "' & | ! ( ) <-> :* \\",
  'what is it',
  '🙂',
  '"',
  '\\',
  'a'.repeat(1_000),
  `${'word '.repeat(199)}end`,
  'щ가'.repeat(500),
  Array.from({ length: 200 }, (_, at) => `щ${String.fromCodePoint(0xac00 + at)}x`).join(' '),
])('takes %s for nothing but words', async (question) => {
  const agent = newAgent();
  await addSource(db, { ...agent, chunks: [{ text: 'Parking is free.' }] });
  expect(await ask(agent, question)).toEqual([]);
  expect(await texts(agent, `!parking & | <-> ('free') ${question}`.slice(0, 1_000))).toEqual([
    'Parking is free.',
  ]);
});

/** The toy embedder knows three meanings. A text has a meaning when it contains one of its words. */
const meanings = [
  ['car', 'vehicle'],
  ['dog', 'puppy'],
  ['cost', 'price'],
];
const toy = (change: Partial<Embedder> = {}): Embedder => {
  const embedding = (text: string): Float32Array =>
    Float32Array.from(meanings, (words) =>
      words.some((word) => text.toLowerCase().includes(word)) ? 1 : 0.01,
    );
  return {
    model: 'toy',
    embed: async (all) => all.map(embedding),
    embedQuery: async (text) => embedding(text),
    ...change,
  };
};

it('finds a meaning without a common word where there are embeddings, and goes on without them', async () => {
  const agent = newAgent();
  const chunks = [{ text: 'A puppy may stay.' }, { text: 'Leave your vehicle behind the house.' }];
  await addSource(db, { ...agent, chunks, embedder: toy() });
  const question = { ...agent, query: 'where is my car', limit: 1 };
  const found = async (embedder: Embedder | undefined): Promise<string[]> =>
    (await new Search(db, embedder).find(question)).map(({ text }) => text);
  expect(await found(toy())).toEqual(['Leave your vehicle behind the house.']);
  expect(await found(undefined)).toEqual([]);
  expect(await found(toy({ embedQuery: async () => undefined }))).toEqual([]);
  // Vectors of another model are not compared.
  expect(await found(toy({ model: 'another' }))).toEqual([]);
});

it('serves nothing half embedded: a failure leaves the generation to be indexed again', async () => {
  const agent = newAgent();
  const failing = toy({ embed: () => Promise.reject(new EmbeddingFailed('no answer')) });
  await expect(
    addSource(db, { ...agent, chunks: [{ text: 'Parking is free.' }], embedder: failing }),
  ).rejects.toThrow(EmbeddingFailed);
  expect(await ask(agent, 'parking')).toEqual([]);
});

it('does without similar words where a vocabulary is larger than all that may be kept', async () => {
  const agent = newAgent();
  await addSource(db, { ...agent, chunks: catalogue });
  const { corpus } = await index.read(db, agent, { words: [], compounds: [], pairs: [] });
  const few = new Vocabularies(1_000);
  expect(await few.read(db, agent, corpus)).toBeUndefined();
  expect(await few.read(db, agent, corpus)).toBeUndefined();
  expect((await new Vocabularies().read(db, agent, corpus))?.has('titanium')).toBe(true);
  expect(few.bytes).toBeLessThanOrEqual(1_000);
});

const forAgent = (agent: Agent) => db.transaction((tx) => knowledgeForAgent(tx, agent), { snapshot: true });

it('tells a runtime to search, or gives it the text for the prompt', async () => {
  const agent = newAgent();
  expect(await forAgent(agent)).toEqual({ mode: 'none', prompt: null });
  await addSource(db, {
    ...agent,
    name: 'Prices',
    usageMode: 'prompt',
    chunks: [{ text: 'A cut is 20.' }, { text: 'A shave is 10.' }],
  });
  expect(await forAgent(agent)).toEqual({
    mode: 'prompt',
    prompt: '# Prices\n\nA cut is 20.\n\nA shave is 10.',
  });
  // Too large for the prompt, so that it is searched.
  await addSource(db, { ...agent, usageMode: 'prompt', chunks: [{ text: 'long '.repeat(12_000) }] });
  expect(await forAgent(agent)).toMatchObject({ mode: 'auto', prompt: expect.stringContaining('# Prices') });
});
