// What of a page is content, and how it is divided. Each case is a page of a kind that sites really have.
import { describe, expect, it } from '@jest/globals';
import { chunksOf } from './chunking.js';
import { readHtml } from './html.js';
import { withoutInvisible } from './invisible.js';

const page = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>Shop</title>${head}</head><body>${body}</body></html>`;
const textOf = (body: string, head?: string): string => readHtml(page(body, head)).text;
const prose = (about: string): string =>
  `<p>${`Everything that people ask about ${about} is answered here. `.repeat(6)}</p>`;
/** The sections of a page by their last title. */
const sectionsOf = (body: string): Record<string, string> =>
  Object.fromEntries(chunksOf(textOf(body)).map(({ headings, text }) => [headings.at(-1) ?? '', text]));

const question = 'Do you ship to Norway?';
const answer = 'We do, on every second Tuesday.';

describe('a question that a click opens is a section with its answer', () => {
  it.each([
    [
      'a button in a heading',
      `<h3><button aria-expanded="false">${question}</button></h3><div class="collapse">${answer}</div>`,
    ],
    [
      'a link with the role of a button in a heading',
      `<h3><a role="button" href="#a">${question}</a></h3><div id="a" hidden><p>${answer}</p></div>`,
    ],
    [
      'a button beside its panel',
      `<button aria-controls="a" aria-expanded="false">${question}</button><div id="a" hidden><p>${answer}</p></div>`,
    ],
    [
      'a button that names its panel for a script',
      `<div><button data-bs-toggle="collapse" data-bs-target="#a">${question}</button></div><div id="a" class="collapse">${answer}</div>`,
    ],
    [
      'a link that toggles',
      `<a data-toggle="collapse" href="#a">${question}</a><div id="a" style="display: none"><p>${answer}</p></div>`,
    ],
    ['details', `<details><summary>${question}</summary><p>${answer}</p></details>`],
    ['details with a heading', `<details><summary><h3>${question}</h3></summary><p>${answer}</p></details>`],
    [
      'tabs',
      `<ul role="tablist"><li><button role="tab" aria-controls="a">${question}</button></li></ul><div id="a" role="tabpanel" hidden><p>${answer}</p></div>`,
    ],
  ])('%s', (_, html) => {
    const body = `<main><h1>Help</h1>${prose('orders')}<h2>Delivery</h2>${prose('delivery')}${html}<h2>Staff</h2>${prose('us')}</main>`;
    const section = sectionsOf(body)[question];
    expect(section).toContain(answer);
    expect(section).toContain(question);
    expect(section).not.toContain('answered here');
  });

  it('in details within details, below the outer question', () => {
    const inner = `<details><summary>And abroad?</summary><p>Abroad as well.</p></details>`;
    const body = `<main><h1>Help</h1><details><summary>${question}</summary><p>${answer}</p>${inner}</details></main>`;
    expect(chunksOf(textOf(body)).at(-1)?.headings).toEqual(['Help', question, 'And abroad?']);
  });

  it('and text behind details belongs to the heading before them again', () => {
    const body = `<main><h1>Help</h1><h2>Delivery</h2><p>We deliver.</p><details><summary>${question}</summary><p>${answer}</p></details><p>Ask us for anything else.</p></main>`;
    expect(chunksOf(textOf(body)).at(-1)).toMatchObject({
      headings: ['Help', 'Delivery'],
      text: '## Delivery\n\nAsk us for anything else.',
    });
  });
});

describe('a page keeps', () => {
  it.each([
    [
      'a hidden panel',
      `<div hidden aria-hidden="true"><p>A refund takes nine working days.</p></div>`,
      'A refund takes nine working days.',
    ],
    [
      'a panel that a style hides',
      `<div style="color: red; display:none">A refund takes nine working days.</div>`,
      'A refund takes nine working days.',
    ],
    [
      'a term with its explanation',
      '<dl><dt>Refund</dt><dd>Nine working days.</dd></dl>',
      'Refund\nNine working days.',
    ],
    ['a hidden panel of two words', '<div hidden>Nine days.</div>', 'Nine days.'],
    [
      'a panel of one word',
      '<h3><button aria-controls="a">Free?</button></h3><div id="a" hidden>Yes.</div>',
      '### Free?\n\nYes.',
    ],
    [
      'the heading of an article in a header',
      '<article><header><h2>Refunds</h2></header><p>Nine days.</p></article>',
      '## Refunds',
    ],
    [
      'a heading of several lines as one',
      '<h2>Refunds<br>and <div>returns</div></h2>',
      '## Refunds and returns',
    ],
    [
      'a table that arranges the page as text',
      '<table><tr><td><h2>Refunds</h2><p>Nine days.</p></td><td>Call us.</td></tr></table>',
      '## Refunds\n\nNine days.',
    ],
    [
      'a table of one column as text',
      '<table><tr><td>First.</td></tr><tr><td>Second.</td></tr></table>',
      'First.\n\nSecond.',
    ],
  ])('%s', (_, html, expected) => {
    expect(textOf(`<main><h1>Help</h1>${prose('orders')}${html}</main>`)).toContain(expected);
  });

  it('all of its text where a server put it into one form', () => {
    const body = `<form action="/default.aspx"><input type="hidden" name="__VIEWSTATE" value="dDwt"><h1>Prices</h1>${prose('prices')}<select><option>Choose a colour</option></select><button>Send the form</button></form>`;
    const text = textOf(body);
    expect(text).toContain('about prices is answered');
    expect(text).not.toMatch(/Choose a colour|Send the form|dDwt/);
  });

  it('its text where a form stands in a form, and loses the inner one', () => {
    const body = `<form><h1>Prices</h1>${prose('prices')}<form><label>Your mail</label><input></form>${prose('fees')}</form></form>`;
    const text = textOf(body);
    expect(text).toContain('about prices is answered');
    expect(text).toContain('about fees is answered');
    expect(text).not.toContain('Your mail');
  });

  it('all of its sections, also when one of them is far longer than the others', () => {
    const body = `<div><h1>Help</h1><div class="sidebar-item"><h2>Refunds</h2>${prose('refunds')}</div><div class="comment"><h2>Returns</h2>${prose('returns')}</div><div><h2>Orders</h2>${prose('orders').repeat(3)}</div></div>`;
    const text = textOf(body);
    for (const about of ['refunds', 'returns', 'orders']) expect(text).toContain(`about ${about} is`);
  });
});

describe('a page loses', () => {
  it.each([
    [
      'a menu that a button opens',
      '<button aria-controls="m" aria-expanded="false">Open the menu</button><div id="m" hidden><ul><li><a href="/">Our home page</a></li><li><a href="/b">Our other page</a></li></ul></div>',
      /Open the menu|home page/,
    ],
    [
      'the buttons of its surface',
      '<button>Accept all cookies</button><button aria-label="x">Back to the top</button>',
      /Accept|Back to/,
    ],
    [
      'a banner that asks for consent',
      '<div class="cookie-banner"><p>We use cookies to make it better.</p><button>Accept</button></div>',
      /cookies/,
    ],
    [
      'a dialog',
      '<div role="dialog" hidden><p>Subscribe to our letter and win a prize.</p></div>',
      /Subscribe/,
    ],
    ['the names of hidden icons', '<p><i aria-hidden="true">expand_more</i>Prices</p>', /expand_more/],
    [
      'a template and a script',
      '<template><p>Template of a card with text.</p></template><script>var text = "script";</script>',
      /Template|script/,
    ],
    [
      'a small form',
      '<form><label>Your mail</label><input><p>No spam.</p><button>Send</button></form>',
      /Your mail|No spam/,
    ],
    ['its navigation', '<div role="navigation"><a href="/a">Elsewhere</a></div>', /Elsewhere/],
  ])('%s', (_, html, lost) => {
    const text = textOf(`${html}<div><h1>Help</h1>${prose('orders')}${prose('delivery')}</div>`);
    expect(text).toContain('about orders is answered');
    expect(text).not.toMatch(lost);
  });

  it('a hidden copy of a text that it shows', () => {
    const shown = 'A refund takes nine working days in all cases.';
    const text = textOf(
      `<main><h1>Help</h1><p>${shown}</p><div aria-hidden="true"><p>${shown}</p></div>${prose('x')}</main>`,
    );
    expect(text.split(shown)).toHaveLength(2);
  });
});

describe('aside and footer', () => {
  const body = `<main><h1>Help</h1>${prose('orders')}</main><aside><p>The hotline is 0800 555.</p></aside><footer><h4>Address</h4><p>Main Street 5.</p></footer>`;

  it.each([
    [[], false, false],
    [['aside'], true, false],
    [['footer'], false, true],
    [['aside', 'footer'], true, true],
  ] as const)('are read when the source includes %j', (include, hasAside, hasFooter) => {
    const { text } = readHtml(page(body), { include });
    expect([text.includes('0800 555'), text.includes('Main Street')]).toEqual([hasAside, hasFooter]);
  });

  it('have sections below the title of the page', () => {
    const { text } = readHtml(page(body), { include: ['footer'] });
    expect(chunksOf(text).at(-1)?.headings).toEqual(['Help', 'Address']);
  });

  it('are read anyway when nearly all of the text is there', () => {
    expect(textOf(`<div>Welcome.</div><aside>${prose('orders')}</aside>`)).toContain(
      'about orders is answered',
    );
  });
});

describe('questions in JSON-LD', () => {
  const entry = (name: string, text: string) => ({
    '@type': 'Question',
    name,
    acceptedAnswer: { '@type': 'Answer', text },
  });
  const script = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
  const faq = { '@type': 'FAQPage', mainEntity: [entry(question, `<p>${answer}</p>`)] };

  it.each([
    ['of the page', faq],
    ['in a graph', { '@graph': [{ '@type': 'Organization', name: 'Shop' }, faq] }],
    ['in a list', [faq]],
    ['of a page with one question', { '@type': ['QAPage'], mainEntity: entry(question, answer) }],
  ])('%s become sections', (_, data) => {
    const chunk = chunksOf(textOf(prose('orders'), script(data))).at(-1);
    expect(chunk).toMatchObject({ headings: ['Shop', question], text: `## ${question}\n\n${answer}` });
  });

  it('that are visible are not said twice', () => {
    const text = textOf(
      `<h2>${question}</h2><p>We do, on every <b>second</b> Tuesday.</p>${prose('x')}`,
      script(faq),
    );
    expect(text.split('every second Tuesday')).toHaveLength(2);
  });

  it.each([
    ['broken', '<script type="application/ld+json">{"@type":"FAQPage", Question</script>'],
    [
      'of other types',
      script({ '@type': 'FAQPage', mainEntity: [{ '@type': 'Question', name: 7 }, null, 'Question'] }),
    ],
    ['too deep', script(JSON.parse(`${'['.repeat(3_000)}${JSON.stringify(faq)}${']'.repeat(3_000)}`))],
    [
      'with an answer that nests without end',
      script({ '@type': 'FAQPage', mainEntity: [entry(question, '<div>'.repeat(9_000))] }),
    ],
  ])('that are %s spoil nothing', (_, head) => {
    expect(textOf(prose('orders'), head)).toContain('about orders is answered');
  });
});

describe('a table', () => {
  const cell = (text: string, attributes = '') => `<td ${attributes}>${text}</td>`;
  const row = (...cells: string[]) => `<tr>${cells.join('')}</tr>`;
  const tableOf = (rows: string): string =>
    textOf(`<main><h1>Prices</h1><table>${rows}</table></main>`).replace('# Prices\n\n', '');

  it.each([
    [
      'with titles',
      '<thead><tr><th>Service</th><th>Price</th></tr></thead><tbody><tr><td>Shave</td><td>12 euros</td></tr></tbody>',
      '| Service | Price |\n|---|---|\n| Shave | 12 euros |',
    ],
    [
      'with titles that nothing marks',
      row(cell('Service'), cell('Price')) + row(cell('Shave'), cell('12')) + row(cell('Cut'), cell('20')),
      '| Service | Price |\n|---|---|\n| Shave | 12 |\n| Cut | 20 |',
    ],
    [
      'without titles',
      row(cell('Shave'), cell('12')) + row(cell('Cut'), cell('20')) + row(cell('Wash'), cell('5')),
      '| Shave | 12 |\n| Cut | 20 |\n| Wash | 5 |',
    ],
    [
      'with a cell over three rows',
      row(cell('Oil change', 'rowspan="3"'), cell('60')) +
        row(cell('65 with filter')) +
        row(cell('70 at night')),
      '| Oil change | 60 |\n| Oil change | 65 with filter |\n| Oil change | 70 at night |',
    ],
    [
      'with a cell over two columns and two rows',
      row(cell('A'), cell('both', 'colspan="2" rowspan="2"'), cell('B')) + row(cell('C'), cell('D')),
      '| A | both | both | B |\n| C | both | both | D |',
    ],
    [
      'with a remark over all columns',
      row(cell('A'), cell('1')) + row(cell('Closed on holidays', 'colspan="2"')),
      '| A | 1 |\n| Closed on holidays |',
    ],
    [
      'with titles in two rows',
      '<tr><th rowspan="2">Service</th><th colspan="2">Price</th></tr><tr><th>net</th><th>gross</th></tr><tr><td>Shave</td><td>10</td><td>12</td></tr>',
      '| Service | Price net | Price gross |\n|---|---|---|\n| Shave | 10 | 12 |',
    ],
    [
      'with a cell that reaches to the end',
      row(cell('All day', 'rowspan="0"'), cell('1')) + row(cell('2')),
      '| All day | 1 |\n| All day | 2 |',
    ],
    ['with blocks and bars in its cells', row(cell('<p>a</p><p>b|c</p>'), cell('1')), '| a b/c | 1 |'],
  ])('%s is read row by row', (_, html, expected) => {
    expect(tableOf(html)).toBe(expected);
  });

  it('of cells that reach over everything stays small', () => {
    const cells = cell('x'.repeat(100), 'rowspan="65534" colspan="1000"').repeat(50);
    expect(tableOf(row(cells).repeat(200)).length).toBeLessThan(4_000_000);
  });
});

describe('characters that nobody sees', () => {
  it.each([
    ['soft hyphens', 'Fl\u00FC\u00ADgel\u00ADschrau\u00ADbe', 'Flügelschraube'],
    ['spaces without width', 'wing\u200Bnut\uFEFF\u2060', 'wingnut'],
    ['joiners between letters that do not join', 'Auf\u200Clage', 'Auflage'],
    ['marks of direction', '\u202Awingnut\u200E\u202C', 'wingnut'],
    ['accents apart from their letters', 'Flu\u0308gel', 'Flügel'],
  ])('%s are gone', (_, text, expected) => {
    expect(withoutInvisible(text)).toBe(expected);
  });

  it.each([['می\u200Cخواهم'], ['👩\u200D👧'], ['क्\u200Dष']])('joiners stay in %s', (text) => {
    expect(withoutInvisible(text)).toBe(text);
  });
});
