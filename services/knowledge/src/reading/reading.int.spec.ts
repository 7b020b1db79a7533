// Documents as people upload them, read in the child processes that the service uses. Each gives its text, or the
// reason why it cannot be read. One process reads them all, so each also proves that the one before did no harm.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  docx,
  docxParagraph,
  docxTable,
  pdf,
  pdfOfImages,
  pdfPage,
  pdfWithPassword,
  zip,
  zipBomb,
  zipEntry,
} from '@parlance/fixtures/documents';
import { type DocumentToRead, type ReadDocument, Reader } from './reader.js';

let reader: Reader;
beforeAll(() => {
  reader = new Reader({ processes: 1, timeoutMs: 120_000, memoryBytes: 768 * 1_048_576 });
});
afterAll(() => reader?.close());

const read = (
  name: string,
  bytes: Uint8Array | string,
  more: Partial<DocumentToRead> = {},
): Promise<ReadDocument> => reader.read({ bytes: Buffer.from(bytes), name, ...more });
const headings = ({ chunks }: ReadDocument): string[] => chunks.flatMap((chunk) => chunk.headings);
const failure = (code: string, message: RegExp | string = '') =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

const prices = pdfPage('Prices', [
  'A haircut costs twenty euros, and a shave costs twelve euros.',
  'Children under ten pay half of it on every day of the week.',
]);

describe('a PDF', () => {
  it('is read page by page, with its larger lines as headings', async () => {
    const bytes = pdf({ pages: [prices, pdfPage('Hours', ['We open at nine and close at five.'])] });
    const found = await read('prices.pdf', bytes);
    expect(found).toMatchObject({ mimeType: 'application/pdf', language: 'english' });
    expect(found.text).toBe(
      '# Prices\n\nA haircut costs twenty euros, and a shave costs twelve euros.\n' +
        'Children under ten pay half of it on every day of the week.\n\n# Hours\n\nWe open at nine and close at five.',
    );
  });

  it('with a broken table of its objects is read all the same', async () => {
    const found = await read('prices.pdf', pdf({ pages: [prices], xref: 'broken' }));
    expect(headings(found)).toEqual(['Prices']);
  });

  it('in a font of Japanese, whose letters stand in a table beside the library, keeps its text', async () => {
    const font = `<< /Type /Font /Subtype /Type0 /BaseFont /Mincho /Encoding /90ms-RKSJ-H /DescendantFonts [<<
      /Type /Font /Subtype /CIDFontType0 /BaseFont /Mincho
      /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /Mincho /Flags 4 /ItalicAngle 0 /Ascent 800
      /Descent -200 /CapHeight 700 /StemV 80 /FontBBox [0 -200 1000 800] >> >>] >>`;
    // 営業時間は九時から五時までです in Shift JIS
    const shown = '89638bc68e9e8ad482cd8be38e9e82a982e78cdc8e9e82dc82c582c582b7';
    const found = await read('hours.pdf', pdf({ pages: [`BT /F1 12 Tf 50 700 Td <${shown}> Tj ET`], font }));
    expect(found.text).toBe('営業時間は九時から五時までです');
  });

  it.each([
    ['with a password', pdfWithPassword(), 'PARSE_FAILED', /encrypted/],
    ['of images', pdfOfImages(), 'TOO_SMALL', /images/],
    ['without a page', pdf({ pages: [] }), 'TOO_SMALL', ''],
    ['that ends after its first line', '%PDF-1.7\n', 'PARSE_FAILED', /broken/],
    ['that is cut in the middle', pdf({ pages: [prices] }).subarray(0, 150), 'PARSE_FAILED', /broken/],
  ])('%s fails with the reason', async (_, bytes, code, message) => {
    await expect(read('a.pdf', bytes)).rejects.toEqual(failure(code, message));
  });
});

describe('the layout of a PDF', () => {
  const at = (text: string, x: number, y: number) => `BT /F1 11 Tf ${x} ${y} Td (${text}) Tj ET`;
  const story = ['says that all of the', 'people of this shop', 'work on every day', 'of the long week.'];
  const columns = ['Anna', 'Bert', 'Carl', 'Dora', 'Emil'];
  /** Five columns, line by line, in a font of 8 points. */
  const fiveColumns = [0, 1, 2, 3, 4]
    .flatMap((line) =>
      columns.map((name, column) => {
        const text = line === 0 ? `${name} the writer` : (story[line - 1] ?? '');
        return `BT /F1 8 Tf ${20 + column * 115} ${700 - 12 * line} Td (${text}) Tj ET`;
      }),
    )
    .join('\n');
  const inOrder = columns.map((name) => [`${name} the writer`, ...story].join('\n')).join('\n\n');

  it.each([[0], [90], [180], [270]])(
    'in five columns is read column by column when its pages are turned by %d',
    async (rotate) => {
      const found = await read('paper.pdf', pdf({ pages: [fiveColumns], rotate }));
      // A turned page is read as it is shown: its text stands on end there.
      expect(found.text).toBe(inOrder);
    },
  );

  it('joins words and sentences over lines, columns and pages', async () => {
    const found = await read(
      'paper.pdf',
      pdf({
        pages: [
          `${at('We ship wash-', 50, 700)}\n${at('ing machines and', 50, 686)}`,
          at('dryers on Tuesdays.', 50, 700),
        ],
      }),
    );
    expect(found.text).toBe('We ship washing machines and\ndryers on Tuesdays.');
  });

  it('makes one heading of a heading in two lines', async () => {
    const heading = `BT /F1 20 Tf 50 750 Td (Prices of) Tj ET\nBT /F1 20 Tf 50 728 Td (the workshop) Tj ET`;
    const found = await read(
      'paper.pdf',
      pdf({ pages: [`${heading}\n${at('A haircut costs twenty euros.', 50, 690)}`] }),
    );
    expect(headings(found)).toEqual(['Prices of the workshop']);
  });

  it('says a header and a footer that repeat once, and numbers of pages never', async () => {
    const pages = ['Anna', 'Bert', 'Carl', 'Dora'].map((name, index) =>
      [
        at('Handbook of the shop', 50, 780),
        at(`${name} works here.`, 50, 600),
        at(`Page ${index + 1} of 4`, 50, 20),
      ].join('\n'),
    );
    const { text } = await read('handbook.pdf', pdf({ pages }));
    expect(text.match(/Handbook of the shop/g)).toHaveLength(1);
    expect(text).not.toMatch(/Page \d/);
    expect(text.match(/works here/g)).toHaveLength(4);
  });

  it('names the pages without text', async () => {
    const picture = 'q 500 0 0 700 50 50 cm /Image Do Q';
    const found = await read('scan.pdf', pdf({ pages: [prices, picture, picture, prices, picture] }));
    expect(found.warnings).toEqual([
      { code: 'PAGES_WITHOUT_TEXT', message: expect.stringContaining('3 of 5 pages have no text: 2-3, 5.') },
    ]);
    expect((await read('prices.pdf', pdf({ pages: [prices] }))).warnings).toEqual([]);
  });
});

describe('a DOCX', () => {
  it('carries merged cells, and says its headers, footers and text boxes before its first section', async () => {
    const cell = (text: string, properties = '') =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${docxParagraph(text)}</w:tc>`;
    const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
    const table = `<w:tbl>${row(cell('Service'), cell('Weekday'), cell('Weekend'))}${row(
      cell('Oil change', '<w:vMerge w:val="restart"/>'),
      cell('60 euros', '<w:gridSpan w:val="2"/>'),
    )}${row(cell('', '<w:vMerge/>'), cell('65 with filter'), cell('85 with filter'))}</w:tbl>`;
    const box = `<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${docxParagraph('Hotline: 0800 &amp; 555.')}</w:txbxContent></mc:Choice><mc:Fallback/></mc:AlternateContent></w:r></w:p>`;
    const found = await read(
      'prices.docx',
      docx(docxParagraph('Prices', 'Heading1') + table + box, {
        'header1.xml': `<w:hdr>${docxParagraph('Valid until March')}</w:hdr>`,
        'header2.xml': `<w:hdr>${docxParagraph('Valid until March')}</w:hdr>`,
        'footer1.xml': `<w:ftr>${docxParagraph('Main Street 5')}${docxParagraph('Page 1 of 3')}</w:ftr>`,
      }),
    );
    expect(found.text).toBe(
      'Valid until March\nMain Street 5\nHotline: 0800 & 555.\n\n# Prices\n\n' +
        '| Service | Weekday | Weekend |\n|---|---|---|\n| Oil change | 60 euros | 60 euros |\n| Oil change | 65 with filter | 85 with filter |',
    );
    expect(found.chunks.map((chunk) => chunk.headings)).toEqual([[], ['Prices']]);
  });

  it('has the headings of its outline under any name, below its title', async () => {
    const style = (id: string, name: string, more: string) =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;
    const level = (value: number) => `<w:pPr><w:outlineLvl w:val="${value}"/></w:pPr>`;
    const styles = `<w:styles>${style('Title', 'Title', '')}${style('K1', 'Kapitel', level(0))}${style('K2', "Meister's Teil", '<w:basedOn w:val="K3"/>')}${style('K3', 'Teil', `<w:basedOn w:val="K2"/>${level(1)}`)}</w:styles>`;
    const body =
      docxParagraph('Katalog', 'Title') +
      docxParagraph('Getriebe', 'K1') +
      docxParagraph('Zirkon', 'K2') +
      docxParagraph('Das Getriebe kostet neunzig Euro.');
    const relation = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`;
    const found = await read(
      'katalog.docx',
      docx(body, { 'styles.xml': styles, '_rels/document.xml.rels': relation }),
    );
    expect(found.chunks.map((chunk) => chunk.headings)).toEqual([['Katalog', 'Getriebe', 'Zirkon']]);
  });

  it('is read with its headings, lists of paragraphs and tables', async () => {
    const body =
      docxParagraph('Prices', 'Heading1') +
      docxParagraph('A haircut costs twenty euros &amp; a shave costs twelve.') +
      docxTable([
        ['Service', 'Price'],
        ['Beard', '12 euros'],
      ]);
    const found = await read('whatever', docx(body));
    expect(found.mimeType).toMatch(/wordprocessingml/);
    expect(found.text).toBe(
      '# Prices\n\nA haircut costs twenty euros & a shave costs twelve.\n\n| Service | Price |\n| Beard | 12 euros |',
    );
    expect(headings(found)).toEqual(['Prices']);
  });

  it.each([
    ['that holds a gigabyte and says so', () => zipBomb(), 'TOO_LARGE', /unpacked/],
    ['that holds a gigabyte and says a kilobyte', () => zipBomb(1_024), /TOO_LARGE|PARSE_FAILED/, ''],
    ['without text', () => docx(docxParagraph('')), 'TOO_SMALL', ''],
    ['that is cut in the middle', () => docx(docxParagraph('Prices')).subarray(0, 900), 'PARSE_FAILED', ''],
    ['of broken XML', () => docx('<w:p><w:r></w:p>'), 'PARSE_FAILED', ''],
  ])('%s fails with the reason', async (_, make, code, message) => {
    await expect(read('a.docx', make())).rejects.toMatchObject({
      code: expect.stringMatching(code),
      message: expect.stringMatching(message),
    });
  });

  it('is no other archive', async () => {
    const archive = zip([zipEntry('readme.txt', 'A haircut costs twenty euros.')]);
    await expect(read('a.docx', archive)).rejects.toEqual(failure('UNSUPPORTED_TYPE', /zip/));
  });
});

describe('a page that was saved as a file', () => {
  it('is read whatever its name says, without its scripts', async () => {
    const html = `<!doctype html><html lang="de"><head><title>Preise</title><script>var secret = "geheim";</script>
      <style>p { color: red }</style></head><body><h1>Preise</h1><p>Ein Haarschnitt kostet zwanzig Euro.</p>
      <noscript>Bitte Skripte erlauben</noscript><script>document.write("mehr")</script></body></html>`;
    const found = await read('prices.pdf', html);
    expect(found).toMatchObject({ mimeType: 'text/html', title: 'Preise', language: 'german' });
    expect(found.text).toBe('# Preise\n\nEin Haarschnitt kostet zwanzig Euro.');
  });
});

describe('a table', () => {
  it.each([
    ['commas', 'Service,Price\n"Haircut, short",20 euros\n'],
    ['semicolons', 'Service;Price\r\n"Haircut, short";20 euros\r\n'],
    ['tabs', 'Service\tPrice\n"Haircut, short"\t20 euros\n'],
  ])('with %s says in each row what its cells are', async (_, text) => {
    const found = await read('prices.csv', text);
    expect(found).toMatchObject({ mimeType: 'text/csv', text: 'Service: Haircut, short\nPrice: 20 euros' });
  });

  it('with commas in its titles is cut where its titles end', async () => {
    const found = await read('prices.csv', '"Service, if any, of ours";Price\nHaircut;20 euros\n');
    expect(found.text).toBe('Service, if any, of ours: Haircut\nPrice: 20 euros');
  });

  it('with lines inside its cells is read to its end', async () => {
    const cell = `"${'a line\n'.repeat(20)}"`;
    const text = `Note,Number\n${Array.from({ length: 3_000 }, (_, index) => `${cell},row ${index}\n`).join('')}`;
    const found = await read('notes.csv', text);
    expect(found.text).toMatch(/Number: row 2999$/);
  });

  it('of more rows than the limit is too large', async () => {
    await expect(read('long.csv', `Name,Price\n${'Haircut,20\n'.repeat(50_001)}`)).rejects.toEqual(
      failure('TOO_LARGE', /50000 rows/),
    );
  });
});

describe('a text', () => {
  const sentence = 'Größe und Übergröße kosten überall gleich viel: zwölf Euro.';

  it.each([
    ['UTF-8', Buffer.from(sentence)],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${sentence}`)],
    ['Latin-1', Buffer.from(sentence, 'latin1')],
    ['UTF-16 with its mark', Buffer.from(`\uFEFF${sentence}`, 'utf16le')],
    ['UTF-16 of the other order', Buffer.from(`\uFEFF${sentence}`, 'utf16le').swap16()],
  ])('in %s is the same text', async (_, bytes) => {
    expect(await read('a.txt', bytes)).toMatchObject({ mimeType: 'text/plain', text: sentence });
  });

  it.each([
    [
      'Windows-1251',
      Buffer.from('c2eee7e2f0e0f220e4e5ede5e320e7e0ede8ece0e5f220e4e5e2fff2fc20e4ede5e9', 'hex'),
    ],
    ['Windows-1250', Buffer.from('a3756b61737a20b99c', 'hex')],
    ['two encodings', Buffer.concat([Buffer.from(sentence), Buffer.from(sentence, 'latin1')])],
  ])('in %s without a declaration is refused with what to do about it', async (_, bytes) => {
    await expect(read('a.txt', bytes)).rejects.toEqual(
      failure('PARSE_FAILED', /not UTF-8.*Save it as UTF-8/),
    );
  });

  it.each([
    ['headings that are underlined', 'Shop\n====\n\nPrices\n---\n\nTwelve euros.', [['Shop', 'Prices']]],
    [
      'rows without a bar at their beginning',
      `Article | Price\n---|---\n${'Comb | 5 euros\n'.repeat(150)}`,
      undefined,
    ],
  ])('of Markdown may have %s', async (_, text, expected) => {
    const found = await read('a.md', `${text}\n`);
    if (expected !== undefined) expect(found.chunks.map((chunk) => chunk.headings)).toEqual(expected);
    else for (const chunk of found.chunks) expect(chunk.text).toMatch(/^Article \| Price\n/);
  });

  it('of Markdown is cut along its headings', async () => {
    const about = (thing: string) =>
      `${`Everything about ${thing} is said here, once more. `.repeat(30)}\n\n`;
    const found = await read(
      'a.md',
      `# Shop\n\n## Prices\n\n${about('prices')}## Hours\n\n${about('hours')}`,
    );
    expect(found).toMatchObject({ mimeType: 'text/markdown', language: 'english' });
    expect(found.chunks.map((chunk) => chunk.headings.join(' > '))).toEqual([
      'Shop > Prices',
      'Shop > Hours',
    ]);
  });

  it.each([
    ['HTML', 'text/html', '<!doctype html><html><body><p>'],
    ['text', 'text/plain', ''],
  ])(
    'of fifty megabytes in one line of %s is too large, and soon found to be',
    async (_, contentType, start) => {
      const bytes = Buffer.alloc(50 * 1_048_576, 'Everything is said here, ').fill(start, 0, start.length);
      await expect(read('a', bytes, { contentType })).rejects.toEqual(failure('TOO_LARGE'));
    },
  );

  it.each([
    [
      'HTML',
      'application/pdf',
      '<html><body><h1>Prices</h1><p>A shave costs twelve euros.</p></body></html>',
      'text/html',
    ],
    ['a PDF', 'text/html; charset=utf-8', pdf({ pages: [prices] }), 'application/pdf'],
    [
      'a DOCX',
      'text/csv',
      docx(docxParagraph('A shave costs twelve euros.')),
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
  ])(
    'is no other type when it is %s, whatever type was declared',
    async (_, contentType, bytes, mimeType) => {
      expect(await read('https://a.example/page', bytes, { contentType })).toMatchObject({ mimeType });
    },
  );

  it.each([
    ['an empty file', '', 'TOO_SMALL'],
    ['a file of blanks', ' \n\t\n '.repeat(100), 'TOO_SMALL'],
    ['a file of zeros', Buffer.alloc(5_000), 'UNSUPPORTED_TYPE'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d4948445200000001', 'hex'), 'UNSUPPORTED_TYPE'],
  ])('is not found in %s', async (_, bytes, code) => {
    await expect(read('a.txt', bytes)).rejects.toEqual(failure(code));
  });
});

describe('a sitemap', () => {
  const base = 'https://a.example/sitemap.xml';
  const sitemap = (bytes: Buffer | string) => reader.readSitemap({ bytes: Buffer.from(bytes), base });
  const urls = (count: number) =>
    `<?xml version="1.0"?><sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9">${Array.from(
      { length: count },
      (_, index) => `<sm:url><sm:loc> /page?a=1&amp;b=${index} </sm:loc></sm:url>`,
    ).join('\n')}</sm:urlset>`;

  it('of fifty thousand pages is read, packed or not', async () => {
    const expected = { sitemaps: [], pages: { length: 50_000, 0: 'https://a.example/page?a=1&b=0' } };
    expect(await sitemap(gzipSync(urls(50_000)))).toMatchObject(expected);
    expect(await sitemap(urls(1))).toEqual({ sitemaps: [], pages: ['https://a.example/page?a=1&b=0'] });
  });

  it('that is an index names its sitemaps, and no entity grows', async () => {
    const index = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(1_000)}"><!ENTITY b "${'&a;'.repeat(1_000)}">]>
      <sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap><sitemap><loc>/&b;</loc></sitemap></sitemapindex>`;
    const found = await sitemap(index);
    expect(found.sitemaps).toEqual(['https://a.example/1.xml', 'https://a.example/&b;']);
  });

  it.each([
    [
      'sixty megabytes when it is unpacked',
      () => gzipSync(Buffer.alloc(60 * 1_048_576)),
      'TOO_LARGE',
      /unpacked/,
    ],
    ['packed and cut in the middle', () => gzipSync(urls(100)).subarray(0, 300), 'PARSE_FAILED', /unpacked/],
    ['of broken XML', () => '<urlset><!-- ', 'PARSE_FAILED', /broken/],
    [
      'of elements in elements without end',
      () => `<urlset>${'<url>'.repeat(1_000_000)}`,
      'PARSE_FAILED',
      /broken/,
    ],
    ['a page', () => '<html><body>urlset</body></html>', 'PARSE_FAILED', /No sitemap/],
  ])('that is %s is refused', async (_, make, code, message) => {
    await expect(sitemap(make())).rejects.toEqual(failure(code, message));
  });
});

describe('the process that reads', () => {
  it('ends when a document takes more memory than it may have, and the next document is read', async () => {
    const small = new Reader({ processes: 1, timeoutMs: 120_000, memoryBytes: 288 * 1_048_576 });
    const page = `<html><body>${'<p><b>a</b></p>'.repeat(95_000)}</body></html>`;
    await expect(small.read({ bytes: Buffer.from(page) })).rejects.toEqual(failure('TOO_LARGE', /memory/));
    const next = { bytes: Buffer.from('A shave costs twelve euros.') };
    expect(await small.read(next)).toMatchObject({ text: 'A shave costs twelve euros.' });
    small.close();
  });

  it('ends when its time is over', async () => {
    const hasty = new Reader({ processes: 1, timeoutMs: 1, memoryBytes: 768 * 1_048_576 });
    await expect(hasty.read({ bytes: Buffer.from('A shave.') })).rejects.toEqual(
      failure('PARSE_FAILED', /too long/),
    );
    hasty.close();
  });
});
