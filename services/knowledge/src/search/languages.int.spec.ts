// Every language of the catalog of voices finds its own words without an embedding service, in other forms than those of the
// text.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { languageOf } from '../reading/language.js';
import { addSource } from '../samples/indexed-sources.js';
import { languageCases } from './languages.cases.js';
import { Search } from './search.js';

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

const agentWith = async (texts: readonly string[], language: string) => {
  const agent = { organizationId: randomUUID(), agentId: randomUUID() };
  await addSource(db, { ...agent, chunks: texts.map((text) => ({ text, language })) });
  return agent;
};

describe('a question in another form than the text', () => {
  it.each(languageCases)('finds the text first in $language', async ({ language, texts, questions }) => {
    // A page names its language, a file does not.
    for (const tag of [language, undefined]) {
      const agent = await agentWith(texts, languageOf(texts.join('\n'), tag));
      const found = await Promise.all(
        questions.map(async ([query]) => (await search.find({ ...agent, query, limit: 1 }))[0]?.text),
      );
      expect(found).toEqual(questions.map(([, text]) => texts[text]));
    }
  });
});
