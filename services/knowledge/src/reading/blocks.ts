// Divides Markdown into blocks: headings, lists, tables, code and paragraphs, each with its place in the text. Together
// the blocks are the whole text.
import { isDelimiterRow } from './table-rows.js';

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
/** The line below a title in the other notation of Markdown. */
const underline = /^(?:={3,}|-{3,})[ \t]*$/;
const longestUnderlined = 120;
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
  // Rows need no bar at their beginning.
  if (kind === 'table' && !isAfterBlank && own !== 'heading' && line.text.includes('|')) return true;
  if (kind === 'list')
    return own === 'list' || (own !== 'heading' && (/^[ \t]/.test(line.text) || !isAfterBlank));
  return !isAfterBlank && own !== 'heading' && (kind === 'table' ? own === 'table' : own === 'paragraph');
};

interface OpenBlock {
  kind: Block['kind'];
  readonly start: number;
  readonly first: string;
  lines: number;
}

/** A second line may say that the first one was a title, or the titles of a table. */
const kindAfter = ({ kind, lines, first }: OpenBlock, line: string): Block['kind'] => {
  if (kind !== 'paragraph' || lines !== 1) return kind;
  if (underline.test(line) && first.length <= longestUnderlined) return 'heading';
  return first.includes('|') && isDelimiterRow(line) ? 'table' : kind;
};

const titleOf = ({ first }: OpenBlock, text: string): Pick<Block, 'level' | 'title'> => {
  const [, marks, title = ''] = heading.exec(first) ?? [];
  if (marks !== undefined) return { level: marks.length, title };
  return { level: /\n=+\s*$/.test(text) ? 1 : 2, title: first.trim() };
};

export const blocksOf = (text: string): Block[] => {
  const blocks: Block[] = [];
  let open: OpenBlock | undefined;
  let isAfterBlank = false;
  let isInCode = false;
  const close = (end: number): void => {
    if (open === undefined) return;
    const { kind, start } = open;
    const title = kind === 'heading' ? titleOf(open, text.slice(start, end)) : { level: 0, title: '' };
    blocks.push({ kind, start, end, ...title });
    open = undefined;
  };
  for (const line of linesOf(text)) {
    const isBlank = line.text.trim() === '';
    const isFence = line.text.startsWith('```');
    if (isInCode) isInCode = !isFence;
    else if (!isBlank) {
      const after = open !== undefined && !isAfterBlank ? kindAfter(open, line.text) : open?.kind;
      if (open !== undefined && after !== undefined && after !== open.kind) open.kind = after;
      else if (open === undefined || isFence || !goesOn(open.kind, line, isAfterBlank)) {
        // Blank lines at the very beginning belong to the first block.
        const start = blocks.length === 0 && open === undefined ? 0 : line.start;
        close(line.start);
        open = { kind: kindOf(line.text), start, first: line.text.slice(0, 500), lines: 0 };
      }
      if (open !== undefined) open.lines += 1;
      isInCode = isFence;
    }
    isAfterBlank = isBlank;
  }
  close(text.length);
  return blocks;
};
