// The parts around the cells: the sheet that a person sees first, the place of its strings, the number formats of
// dates.
import { refuse } from '../import-types.js';
import type { Archive } from './archive.js';
import { readXml } from './xml.js';

const workbookPart = 'xl/workbook.xml';
const builtInDates = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

export interface Workbook {
  readonly sheet: string;
  /** Part of the shared strings; undefined where all strings stand in their cells. */
  readonly strings: string | undefined;
  /** True for the number of a cell's style that shows dates. */
  readonly isDate: readonly boolean[];
  /** Days are counted from 1904. */
  readonly from1904: boolean;
}

interface Relation {
  readonly type: string;
  readonly part: string;
}

const partOf = (target: string): string => (target.startsWith('/') ? target.slice(1) : `xl/${target}`);

const readRelations = async (archive: Archive): Promise<ReadonlyMap<string, Relation>> => {
  const relations = new Map<string, Relation>();
  await readXml(archive, 'xl/_rels/workbook.xml.rels', {
    open: (name, { Id, Type, Target }) => {
      if (name === 'Relationship' && Id !== undefined && Target !== undefined)
        relations.set(Id, { type: Type?.split('/').at(-1) ?? '', part: partOf(Target) });
    },
  });
  return relations;
};

interface Sheets {
  readonly visible: readonly string[];
  readonly from1904: boolean;
}

const readSheets = async (archive: Archive): Promise<Sheets> => {
  const visible: string[] = [];
  let from1904 = false;
  await readXml(archive, workbookPart, {
    open: (name, attributes) => {
      if (name === 'workbookPr') from1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (name !== 'sheet' || ['hidden', 'veryHidden'].includes(attributes.state ?? '')) return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
      if (id !== undefined) visible.push(id);
    },
  });
  return { visible, from1904 };
};

/** A format of one's own is a date when, besides quoted words, colours and fillers, it has a letter of one. */
const isDateFormat = (code: string): boolean =>
  /[ymdhs]/i.test(code.replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, ''));

const readStyles = async (archive: Archive, part: string): Promise<boolean[]> => {
  const own = new Map<number, boolean>();
  const isDate: boolean[] = [];
  let isCellFormat = false;
  await readXml(archive, part, {
    open: (name, attributes) => {
      const id = Number(attributes.numFmtId);
      if (name === 'numFmt') own.set(id, isDateFormat(attributes.formatCode ?? ''));
      else if (name === 'cellXfs') isCellFormat = true;
      else if (name === 'xf' && isCellFormat) isDate.push(own.get(id) ?? builtInDates.has(id));
    },
    close: (name) => {
      if (name === 'cellXfs') isCellFormat = false;
    },
  });
  return isDate;
};

/** @throws FileRefused for an archive that is no spreadsheet, or a spreadsheet without a visible sheet */
export const readWorkbook = async (archive: Archive): Promise<Workbook> => {
  if (!archive.has(workbookPart))
    throw refuse('FILE_TYPE_MISMATCH', 'the file is an archive, but not an .xlsx spreadsheet');
  const relations = await readRelations(archive);
  const { visible, from1904 } = await readSheets(archive);
  const sheets = visible.map((id) => relations.get(id)).filter((relation) => relation?.type === 'worksheet');
  const sheet = sheets[0]?.part;
  if (sheet === undefined || !archive.has(sheet))
    throw refuse('FILE_INVALID', 'the spreadsheet has no visible sheet');
  const partOfType = (type: string): string | undefined => {
    const part = [...relations.values()].find((relation) => relation.type === type)?.part;
    return part !== undefined && archive.has(part) ? part : undefined;
  };
  const styles = partOfType('styles');
  return {
    sheet,
    strings: partOfType('sharedStrings'),
    isDate: styles === undefined ? [] : await readStyles(archive, styles),
    from1904,
  };
};
