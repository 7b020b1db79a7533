// The parts around the cells: the sheet that a person sees first, the part with its strings, and its number formats.
import { refuse } from '../sheet/file-refusal.js';
import type { Archive } from './archive.js';
import { type NumberText, numberText } from './number-text.js';
import { readXml } from './xml.js';

const workbookPart = 'xl/workbook.xml';

export interface Workbook {
  readonly sheet: string;
  /** Part of the shared strings; undefined where all strings stand in their cells. */
  readonly strings: string | undefined;
  /** The text of a number, by the number of its cell's style. */
  readonly formats: readonly NumberText[];
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

const readStyles = async (archive: Archive, part: string): Promise<NumberText[]> => {
  const declared = new Map<number, string>();
  const known = new Map<number, NumberText>();
  const formats: NumberText[] = [];
  const formatOf = (id: number): NumberText => {
    const found = known.get(id) ?? numberText(id, declared.get(id));
    known.set(id, found);
    return found;
  };
  let isCellFormat = false;
  await readXml(archive, part, {
    open: (name, attributes) => {
      const id = Number(attributes.numFmtId ?? 0);
      if (name === 'numFmt') declared.set(id, attributes.formatCode ?? '');
      else if (name === 'cellXfs') isCellFormat = true;
      else if (name === 'xf' && isCellFormat) formats.push(formatOf(id));
    },
    close: (name) => {
      if (name === 'cellXfs') isCellFormat = false;
    },
  });
  return formats;
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
    formats: styles === undefined ? [] : await readStyles(archive, styles),
    from1904,
  };
};
