// The texts of a Word document that the library does not convert: headers, footers and text boxes.
import { XMLParser } from 'fast-xml-parser';

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: true,
  // Entities of its own would let a document grow; the five of XML are decoded below.
  processEntities: false,
  trimValues: false,
});

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
const decoded = (text: string): string =>
  text.replaceAll(/&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (all, name, decimal, hex) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });

interface Walk {
  readonly lines: string[];
  line: string;
}

type Node = Readonly<Record<string, unknown>>;

const endLine = (walk: Walk): void => {
  const line = walk.line.trim().replaceAll(/\s+/g, ' ');
  if (line !== '') walk.lines.push(line);
  walk.line = '';
};

const walkNodes = (nodes: readonly Node[], walk: Walk): void => {
  for (const node of nodes)
    for (const [name, value] of Object.entries(node)) {
      if (!Array.isArray(value)) continue;
      if (name === 'w:t')
        walk.line += decoded(value.map((text: Node) => String(text['#text'] ?? '')).join(''));
      else if (name === 'w:tab' || name === 'w:br') walk.line += ' ';
      // Deleted text, instructions of fields, and the older copy of a drawing are no text.
      else if (name !== 'w:del' && name !== 'w:instrText' && name !== 'mc:Fallback') walkNodes(value, walk);
      if (name === 'w:p') endLine(walk);
    }
};

/** The paragraphs of a part. */
const linesOf = (xml: string): string[] => {
  const walk: Walk = { lines: [], line: '' };
  walkNodes(parser.parse(xml), walk);
  endLine(walk);
  return walk.lines;
};

/** The number of a page, with or without words around it. */
const isNumbering = (line: string): boolean =>
  (line.match(/\p{L}/gu) ?? []).length < 3 || /^\p{L}+ \d+( \p{L}+ \d+)?$/u.test(line);

/** Lines of headers and footers, each once. */
export const marginsOf = (parts: ReadonlyMap<string, string>): string[] => {
  const lines = [...parts]
    .filter(([name]) => /\/(?:header|footer)\d*\.xml$/.test(name))
    .sort(([first], [second]) => Number(first.includes('footer')) - Number(second.includes('footer')))
    .flatMap(([, xml]) => linesOf(xml))
    .filter((line) => !isNumbering(line) || /\d{4}/.test(line));
  return [...new Set(lines)];
};

const mostBoxes = 1_000;

/** Lines of text boxes. */
export const boxesOf = (document: string): string[] => {
  const lines: string[] = [];
  let at = 0;
  for (let count = 0; count < mostBoxes; count += 1) {
    const start = document.indexOf('<w:txbxContent>', at);
    const end = start === -1 ? -1 : document.indexOf('</w:txbxContent>', start);
    if (end === -1) break;
    // Prefixes of names are not declared in a part of a document, which this parser does not mind.
    lines.push(...linesOf(document.slice(start, end + '</w:txbxContent>'.length)));
    at = end;
  }
  return [...new Set(lines)];
};
