// Documents as people have them, from the upload to the passage that a question finds first.

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { docx, docxParagraph, pdf } from '@parlance/fixtures/documents';
import { ownerOf } from '@parlance/fixtures/service';
import { askedSources } from './asked-sources.js';
import type { World } from './world.js';

const html = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>Help</title></head><body>${body}</body></html>`;
const panel = (question: string, answer: string, id: string): string =>
  `<h2><button aria-expanded="false" aria-controls="${id}">${question}</button></h2><div id="${id}" hidden><p>${answer}</p></div>`;
const prose = `${'Everything about the workshop and its people is told here. '.repeat(8)}\n\n`;
const line = (text: string, x: number, y: number): string => `BT /F1 11 Tf ${x} ${y} Td (${text}) Tj ET`;

const catalogue = `# Catalogue\n\n${prose}## Bearings\n\nPrice and delivery of each bearing: 4 euros, in a day.\n\n## Gearboxes\n\nThe zirconium one costs 90 euros and comes within eight days.\n\n## Prices and delivery\n\n${prose}`;
const articles = `# Articles\n\n| Article | Warranty | Deposit |\n|---|---|---|\n${Array.from(
  { length: 120 },
  (_, row) => `| QX-${2000 + row} | ${row} days | ${300 + row} EUR |`,
).join('\n')}\n`;

export const foundCases = (world: () => World): void => {
  const { create, settled } = askedSources(world);

  const sourceOf = async (fileName: string, content: Buffer | string, include?: ('aside' | 'footer')[]) => {
    const who = ownerOf();
    const agentId = randomUUID();
    const fileKey = await world().upload(who, fileName, content);
    await create(who, [{ type: 'file', fileKey, fileName, ...(include && { include }) }], agentId);
    const source = await settled(who);
    const ask = async (query: string) =>
      world().ask(contract.knowledgeSearch, { body: { agentId, query, limit: 5 } }, who);
    return { source, ask };
  };

  describe('the passage that is found first', () => {
    it.each<[string, string, Buffer | string, string, { headings?: string[]; text: RegExp }]>([
      [
        'is the short section below the title that the question names',
        'catalogue.md',
        catalogue,
        'price and delivery of the zirconium gearbox',
        { headings: ['Catalogue', 'Gearboxes'], text: /90 euros/ },
      ],
      [
        'has the question of an accordion and its answer',
        'faq.html',
        html(
          `<main><h1>Help</h1>${panel('Do you repair bells?', 'Only on Mondays.', 'a')}${panel('Do you ship to Norway?', 'On every second Tuesday.', 'b')}</main>`,
        ),
        'Do you ship to Norway?',
        {
          headings: ['Help', 'Do you ship to Norway?'],
          text: /^## Do you ship to Norway\?\n\nOn every second Tuesday\.$/,
        },
      ],
      [
        'has the row and the titles of its columns',
        'articles.md',
        articles,
        'What is the deposit of QX-2093?',
        {
          headings: ['Articles'],
          text: /^\| Article \| Warranty \| Deposit \|\n[\s\S]*\| QX-2093 \| 93 days \| 393 EUR \|/,
        },
      ],
      [
        'has a word that was written with soft hyphens',
        'parts.html',
        html('<main><h1>Parts</h1><p>The but&shy;ter&shy;fly&shy;nut costs four euros.</p></main>'),
        'butterflynut',
        { text: /butterflynut/ },
      ],
      [
        'has the merged cell in its row',
        'prices.docx',
        docx(
          `<w:tbl><w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>${docxParagraph('Tyre change')}</w:tc><w:tc>${docxParagraph('60 euros')}</w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr>${docxParagraph('')}</w:tc><w:tc>${docxParagraph('65 euros with balancing')}</w:tc></w:tr></w:tbl>`,
        ),
        'tyre change with balancing',
        { text: /\| Tyre change \| 65 euros with balancing \|/ },
      ],
      [
        'has the sentence of a column whole',
        'paper.pdf',
        pdf({
          pages: [
            ['Repairs take nine', 'days and are paid', 'by card in advance.']
              .flatMap((text, row) => [
                line(text, 50, 700 - 16 * row),
                line(
                  ['Shipping to Oslo is', 'every second week', 'and costs eleven.'][row] ?? '',
                  320,
                  700 - 16 * row,
                ),
              ])
              .join('\n'),
          ],
        }),
        'How long do repairs take?',
        { text: /Repairs take nine\ndays and are paid\nby card in advance\./ },
      ],
    ])('%s', async (_, fileName, content, question, { headings, text }) => {
      const { source, ask } = await sourceOf(fileName, content);
      expect(source).toMatchObject({ status: 'ready', error: null, waiting: null, warnings: [] });
      const [first] = await ask(question);
      expect(first?.text).toMatch(text);
      if (headings !== undefined) expect(first?.headings).toEqual(headings);
    });

    it('has the text around it within its section, for the model', async () => {
      const { ask } = await sourceOf(
        'terms.md',
        '# Terms\n\nAll prices include tax.\n\n## Delivery\n\nIt takes two days.\n',
      );
      const [first] = await ask('how long does delivery take');
      expect(first).toMatchObject({
        headings: ['Terms', 'Delivery'],
        context: '# Terms\n\nAll prices include tax.',
      });
    });
  });

  it('a PDF with pages of pictures is ready, and says which pages nobody can find', async () => {
    const picture = 'q 500 0 0 700 50 50 cm /Image Do Q';
    const { source } = await sourceOf(
      'scan.pdf',
      pdf({ pages: [line('The cover of our handbook.', 50, 700), picture, picture] }),
    );
    expect(source).toMatchObject({
      status: 'ready',
      warnings: [
        { code: 'PAGES_WITHOUT_TEXT', url: null, message: expect.stringMatching(/2 of 3 pages .*2-3/) },
      ],
    });
  });

  it('the footer of a page is read where the source includes it', async () => {
    const page = html(
      `<main><h1>Help</h1><p>${prose}</p></main><footer><p>The hotline is 0800 555 1234.</p></footer>`,
    );
    const [without, included] = [await sourceOf('a.html', page), await sourceOf('a.html', page, ['footer'])];
    expect([without.source.include, included.source.include]).toEqual([[], ['footer']]);
    expect(await without.ask('hotline')).toEqual([]);
    expect((await included.ask('hotline'))[0]?.text).toContain('0800 555 1234');
  });
};
