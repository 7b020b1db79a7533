// For tests: documents made byte by byte, so that each has exactly the fault that a test is about.
import { constants, crc32, deflateRawSync } from 'node:zlib';

interface PdfOptions {
  /** Content streams, one for each page. */
  readonly pages: readonly string[];
  /** Entries of the trailer, such as the dictionary of an encryption. */
  readonly trailer?: string;
  /** The font of the name F1. */
  readonly font?: string;
  /** Objects behind the others, from number 4 + 2 * pages on. */
  readonly objects?: readonly string[];
  readonly xref?: 'right' | 'broken';
  /** The turn of the pages, in degrees. */
  readonly rotate?: number;
}

const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';

const stream = (content: string, entries = ''): string =>
  `<< ${entries} /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`;

export const pdf = ({
  pages,
  trailer = '',
  font = helvetica,
  objects = [],
  xref = 'right',
  rotate = 0,
}: PdfOptions): Buffer => {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  const all = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font,
    ...pages.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Rotate ${rotate} /Contents ${5 + 2 * index} 0 R
         /Resources << /Font << /F1 3 0 R >> /XObject << /Image ${4 + 2 * pages.length} 0 R >> >> >>`,
      stream(content),
    ]),
    ...objects,
  ];
  let text = '%PDF-1.7\n';
  const places = all.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const line = (place: number): string =>
    `${String(xref === 'right' ? place : place + 7).padStart(10, '0')} 00000 n \n`;
  const table = `xref\n0 ${all.length + 1}\n0000000000 65535 f \n${places.map(line).join('')}`;
  const end = `trailer\n<< /Size ${all.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n`;
  return Buffer.from(`${text}${table}${end}${xref === 'right' ? text.length : 1}\n%%EOF\n`, 'latin1');
};

/** A page with a large first line and a smaller text. */
export const pdfPage = (title: string, lines: readonly string[]): string =>
  `BT /F1 24 Tf 50 750 Td (${title}) Tj ET\n${lines
    .map((line, index) => `BT /F1 11 Tf 50 ${700 - 14 * index} Td (${line}) Tj ET`)
    .join('\n')}`;

/** Nothing but a picture. */
export const pdfOfImages = (): Buffer =>
  pdf({
    pages: ['q 500 0 0 700 50 50 cm /Image Do Q'],
    objects: [
      stream(
        'x'.repeat(192),
        '/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceRGB /BitsPerComponent 8',
      ),
    ],
  });

/** The entries of password and key belong to no password: the empty one does not open the document either. */
export const pdfWithPassword = (): Buffer => {
  const bytes = (digit: string): string => `<${digit.repeat(64)}>`;
  const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O ${bytes('a')} /U ${bytes('b')} >>`;
  return pdf({
    pages: [pdfPage('Prices', ['A haircut costs twenty euros.'])],
    trailer: `${encryption} /ID [${bytes('c')} ${bytes('c')}]`,
  });
};

export interface ZipEntry {
  readonly name: string;
  /** Deflated already. */
  readonly deflated: Buffer;
  readonly crc: number;
  /** The size that the archive declares. */
  readonly size: number;
}

export const zipEntry = (name: string, content: string | Buffer): ZipEntry => {
  const bytes = Buffer.from(content);
  return { name, deflated: deflateRawSync(bytes), crc: crc32(bytes), size: bytes.length };
};

export const zip = (entries: readonly ZipEntry[]): Buffer => {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, deflated, crc, size } of entries) {
    const path = Buffer.from(name);
    // Version, flags, method, time and date; then sums, sizes and the length of the name.
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(0x5a210000, 6);
    facts.writeUInt32LE(crc, 10);
    facts.writeUInt32LE(deflated.length, 14);
    facts.writeUInt32LE(size, 18);
    facts.writeUInt16LE(path.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const head = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, path]);
    local.push(head, deflated);
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, place, path);
    offset += head.length + deflated.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
};

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const frame = (): ZipEntry[] => [
  zipEntry(
    '[Content_Types].xml',
    `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
     <Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${main}.document.main+xml"/></Types>`,
  ),
  zipEntry(
    '_rels/.rels',
    `${xml}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
  ),
];

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/**
 * @param body of word/document.xml
 * @param parts other files below word/, by their names: their root elements without namespaces
 */
export const docx = (body: string, parts: Readonly<Record<string, string>> = {}): Buffer =>
  zip([
    ...frame(),
    ...Object.entries(parts).map(([name, part]) =>
      zipEntry(`word/${name}`, `${xml}${part.replace(/^<w:\w+/, (root) => `${root} ${word}`)}`),
    ),
    zipEntry(
      'word/document.xml',
      `${xml}<w:document ${word} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>${body}</w:body></w:document>`,
    ),
  ]);

export const docxParagraph = (text: string, style?: string): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

export const docxTable = (rows: readonly (readonly string[])[]): string =>
  `<w:tbl>${rows
    .map((row) => `<w:tr>${row.map((cell) => `<w:tc>${docxParagraph(cell)}</w:tc>`).join('')}</w:tr>`)
    .join('')}</w:tbl>`;

const mebibyte = 1_048_576;

/** A gigabyte of zeros as the text of a document, in a megabyte. @param size as the archive declares it */
export const zipBomb = (size = 1_024 * mebibyte): Buffer => {
  const piece = Buffer.alloc(mebibyte);
  // Pieces that end with a flush can stand behind each other as often as one likes.
  const deflated = deflateRawSync(piece, { finishFlush: constants.Z_FULL_FLUSH });
  const pieces = [...Array.from({ length: 1_023 }, () => deflated), deflateRawSync(piece)];
  const crc = pieces.reduce((sum) => crc32(piece, sum), 0);
  return zip([...frame(), { name: 'word/document.xml', deflated: Buffer.concat(pieces), crc, size }]);
};
