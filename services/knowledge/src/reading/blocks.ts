// Divides Markdown into blocks: headings, lists, tables, code and paragraphs, each with its place in the text. Together
// the blocks are the whole text.

export interface Block {
  readonly kind: 'heading' | 'list' | 'table' | 'code' | 'paragraph';
  readonly start: number;
  /** The offset behind the blank lines that follow the block. */
  readonly end: number;
  /** The level of a heading; 0 for any other block. */
  readonly level: number;
  readonly title: string;
}

const heading = /^(#{1,6})[ \t]+(\S.*?)[ \t]*#*$/;
const listItem = /^[ \t]{0,3}(?:[-*+]|\d{1,4}[.)])[ \t]/;

const kindOf = (line: string): Block['kind'] => {
  if (heading.test(line.slice(0, 500))) return 'heading';
  if (line.startsWith('```')) return 'code';
  if (line.startsWith('|')) return 'table';
  return listItem.test(line) ? 'list' : 'paragraph';
};

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function* linesOf(text: string): Generator<Line> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found + 1;
    yield { text: text.slice(start, found === -1 ? end : found).replace(/\r$/, ''), start, end };
    start = end;
  }
}

/** True when the line continues the block that was begun. */
const goesOn = (kind: Block['kind'], line: Line, isAfterBlank: boolean): boolean => {
  if (kind === 'heading') return false;
  const own = kindOf(line.text);
  if (kind === 'list')
    return own === 'list' || (own !== 'heading' && (/^[ \t]/.test(line.text) || !isAfterBlank));
  return !isAfterBlank && own !== 'heading' && (kind === 'table' ? own === 'table' : own === 'paragraph');
};

export const blocksOf = (text: string): Block[] => {
  const blocks: Block[] = [];
  let open: { kind: Block['kind']; start: number; first: string } | undefined;
  let isAfterBlank = false;
  let isInCode = false;
  const close = (end: number): void => {
    if (open === undefined) return;
    const [, marks = '', title = ''] = open.kind === 'heading' ? (heading.exec(open.first) ?? []) : [];
    blocks.push({ kind: open.kind, start: open.start, end, level: marks.length, title });
    open = undefined;
  };
  for (const line of linesOf(text)) {
    const isBlank = line.text.trim() === '';
    const isFence = line.text.startsWith('```');
    if (isInCode) isInCode = !isFence;
    else if (!isBlank) {
      if (open === undefined || isFence || !goesOn(open.kind, line, isAfterBlank)) {
        // Blank lines at the very beginning belong to the first block.
        const start = blocks.length === 0 && open === undefined ? 0 : line.start;
        close(line.start);
        open = { kind: kindOf(line.text), start, first: line.text.slice(0, 500) };
      }
      isInCode = isFence;
    }
    isAfterBlank = isBlank;
  }
  close(text.length);
  return blocks;
};
