import { describe, expect, it } from '@jest/globals';
import { data, documents, followsScript, german, name, size } from '../testing/exchanges.js';
import { callFor, sourceId } from '../testing/setup.js';

describe('the rules brain', () => {
  followsScript([
    [
      'speaks German',
      german(
        { id: 'name', type: 'string', description: 'Name des Kunden', required: true },
        { id: 'personen', type: 'integer', description: 'Zahl der Personen', required: true },
      ),
      [
        ['Guten Tag', 'Können Sie mir bitte sagen: Name?'],
        [
          'Wie lange dauert eine Erstattung?',
          /^In unseren Unterlagen steht: .* Können Sie mir bitte sagen: Name\?$/,
        ],
        ['Anna Müller', 'Können Sie mir bitte sagen: Zahl der Personen?'],
        ['vier', 'Ich habe 4 verstanden. Ist das richtig?'],
        ['Ja', /^Vielen Dank, ich habe alles/],
        ['Nein danke', 'Vielen Dank, und auf Wiederhören.'],
      ],
    ],
    [
      'looks everything else up, and says so when nothing is found',
      { knowledge: { mode: 'auto', prompt: null } },
      [['How long does a refund take?', 'I am sorry, our documents say nothing about that.']],
    ],
    [
      'answers from the paragraph of the prompt that has the words of the question',
      { knowledge: { mode: 'prompt', prompt: 'We open at nine.\n\nA refund takes five days.' } },
      [
        ['How long does a refund take?', 'Our documents say: A refund takes five days.'],
        ['Who is the president?', 'I am sorry, our documents say nothing about that.'],
      ],
    ],
    [
      'reads a paragraph by the words of its heading, and searches what the prompt does not have',
      {
        knowledge: { mode: 'auto', prompt: '# Parking\n\nBehind the house.\n\n# Hours\n\nNine to five.' },
        documents: ['A refund takes five days.'],
      },
      [
        ['Where is your parking?', 'Our documents say: Behind the house.'],
        ['How long does a refund take?', 'Our documents say: A refund takes five days.'],
      ],
    ],
    [
      'cannot help without documents, and greets a greeting',
      {},
      [
        ['How long does a refund take?', 'I am sorry, I cannot help with that.'],
        ['Hello', 'How can I help you?'],
        ['That was all, goodbye!', 'Thank you, and goodbye.'],
      ],
    ],
  ]);

  it('collects values with the words that they came from', async () => {
    const { conversation, say } = callFor(data(name, size));
    for (const words of ['Hello', 'It is Ada Lovelace', 'There are four of us', 'Yes']) await say(words);
    expect(conversation.collected()).toEqual({
      full_name: { value: 'Ada Lovelace', quote: 'Ada Lovelace' },
      party_size: { value: 4, quote: 'four' },
    });
  });

  it('names the passages that it has read out', async () => {
    const { events } = callFor(documents);
    expect((await events('How long does a refund take?')).at(-1)).toMatchObject({
      type: 'turn',
      turn: { sources: [{ knowledgeSourceId: sourceId, chunkId: 'c1' }] },
    });
  });

  it('reads the sentence of a long passage that answers, and not the whole passage', async () => {
    const text = `${'We are a company with many years of experience. '.repeat(20)}A refund takes five days. ${'We like dogs. '.repeat(40)}`;
    const { say } = callFor({ ...documents, documents: [text] });
    const said = await say('How long does a refund take?');
    expect(said).toMatch(/^Our documents say: A refund takes five days\./);
    expect(said.length).toBeLessThan(340);
  });
});
