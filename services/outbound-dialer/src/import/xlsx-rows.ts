// Rows of a spreadsheet's first visible sheet, one chunk of it at a time.
import { join } from 'node:path';
import type { Pause, RowSink } from './sheet/sheet-row.js';
import { Archive } from './xlsx/archive.js';
import { CellReader } from './xlsx/cells.js';
import { StringStore } from './xlsx/string-store.js';
import { readWorkbook } from './xlsx/workbook.js';
import { readXml, type XmlHandler } from './xlsx/xml.js';

const readStrings = async (
  archive: Archive,
  part: string,
  store: StringStore,
  pause: Pause,
): Promise<void> => {
  let text = '';
  let isText = false;
  let isPhonetic = false;
  const handler: XmlHandler = {
    open: (name) => {
      if (name === 'si') text = '';
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 't') isText = !isPhonetic;
    },
    text: (part) => {
      if (isText) text += part;
    },
    close: (name) => {
      if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'si') store.add(text);
    },
  };
  await readXml(archive, part, handler, pause);
  store.flush();
};

export interface Spreadsheet {
  readonly path: string;
  /** A directory for the strings while the file is read. */
  readonly directory: string;
  readonly maxInflatedBytes: number;
}

/**
 * Hands every row to `sink`; `pause` is awaited after each chunk.
 * @throws FileRefused
 */
export const readXlsx = async (
  { path, directory, maxInflatedBytes }: Spreadsheet,
  sink: RowSink,
  pause: Pause,
): Promise<void> => {
  const archive = await Archive.open(path, maxInflatedBytes);
  try {
    const workbook = await readWorkbook(archive);
    const store = new StringStore(join(directory, 'strings'));
    try {
      if (workbook.strings !== undefined) await readStrings(archive, workbook.strings, store, pause);
      await readXml(archive, workbook.sheet, new CellReader(workbook, store, sink), pause);
    } finally {
      store.close();
    }
  } finally {
    archive.close();
  }
};
