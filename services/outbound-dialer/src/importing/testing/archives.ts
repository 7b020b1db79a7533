// Archives and spreadsheets for tests, honest ones and others, made here byte by byte: no writer makes the wrong ones.
import { crc32, deflateRawSync } from 'node:zlib';

export interface Part {
  readonly name: string;
  readonly content: string | Buffer;
  /** The unpacked size that the archive claims, if it lies. */
  readonly claimedBytes?: number;
}

const local = (name: Buffer, packed: Buffer, crc: number, bytes: number): Buffer => {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(packed.byteLength, 18);
  header.writeUInt32LE(bytes, 22);
  header.writeUInt16LE(name.byteLength, 26);
  return Buffer.concat([header, name, packed]);
};

const central = (name: Buffer, packed: Buffer, crc: number, bytes: number, offset: number): Buffer => {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(20, 6);
  header.writeUInt16LE(8, 10);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(packed.byteLength, 20);
  header.writeUInt32LE(bytes, 24);
  header.writeUInt16LE(name.byteLength, 28);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, name]);
};

/** A zip archive. */
export const archiveOf = (parts: readonly Part[]): Buffer => {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const name = Buffer.from(part.name);
    const content = Buffer.from(part.content);
    const packed = deflateRawSync(content);
    const crc = crc32(content);
    const bytes = part.claimedBytes ?? content.byteLength;
    const entry = local(name, packed, crc, bytes);
    locals.push(entry);
    centrals.push(central(name, packed, crc, bytes, offset));
    offset += entry.byteLength;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.byteLength, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
};

const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`;

export interface Sheet {
  /** The XML of its rows. */
  readonly rows: string;
  readonly isHidden?: boolean;
}

export interface WorkbookText {
  readonly sheets: readonly Sheet[];
  /** XML of the shared strings' items. */
  readonly strings?: string;
  /** XML of the styles. */
  readonly styles?: string;
  /** Put before the root of each sheet. */
  readonly prologue?: string;
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** The parts of an .xlsx file. */
export const partsOf = ({ sheets, strings, styles, prologue = '' }: WorkbookText): Part[] => {
  const listed = sheets.map(
    ({ isHidden }, index) =>
      `<sheet name="S${index}" sheetId="${index + 1}" ${isHidden ? 'state="hidden" ' : ''}r:id="rId${index}"/>`,
  );
  const relations = sheets.map((_, index) =>
    relation(`rId${index}`, 'worksheet', `worksheets/sheet${index}.xml`),
  );
  if (strings !== undefined) relations.push(relation('rIdS', 'sharedStrings', 'sharedStrings.xml'));
  if (styles !== undefined) relations.push(relation('rIdT', 'styles', '/xl/styles.xml'));
  return [
    { name: 'xl/workbook.xml', content: `${head}<workbook><sheets>${listed.join('')}</sheets></workbook>` },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `${head}<Relationships>${relations.join('')}</Relationships>`,
    },
    ...sheets.map(({ rows }, index) => ({
      name: `xl/worksheets/sheet${index}.xml`,
      content: `${head}${prologue}<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    })),
    ...(strings === undefined
      ? []
      : [{ name: 'xl/sharedStrings.xml', content: `${head}<sst>${strings}</sst>` }]),
    ...(styles === undefined ? [] : [{ name: 'xl/styles.xml', content: `${head}${styles}` }]),
  ];
};

export const workbookOf = (text: WorkbookText): Buffer => archiveOf(partsOf(text));

/** Rows with their texts in the cells. */
export const inline = (...rows: readonly (readonly string[])[]): string =>
  rows
    .map(
      (cells) => `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`,
    )
    .join('');
