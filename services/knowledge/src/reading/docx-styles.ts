// The styles of a Word document that are headings: those with a level in the outline, under any name and in any language.
import { XMLParser } from 'fast-xml-parser';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  processEntities: false,
  isArray: (name) => name === 'style',
});

interface Style {
  readonly type?: string;
  readonly styleId?: string;
  readonly name?: { readonly val?: string };
  readonly basedOn?: { readonly val?: string };
  readonly pPr?: { readonly outlineLvl?: { readonly val?: string } };
}

const stylesIn = (xml: string): readonly Style[] => {
  const { styles } = parser.parse(xml) as { styles?: { style?: readonly Style[] } };
  return (styles?.style ?? []).filter(({ type }) => type === 'paragraph');
};

/** Styles may be based on each other in a ring. */
const longestChain = 10;
const highestLevel = 6;

const levelOf = (style: Style, byId: ReadonlyMap<string, Style>): number | undefined => {
  let at: Style | undefined = style;
  for (let step = 0; at !== undefined && step < longestChain; step += 1) {
    const level = Number.parseInt(at.pPr?.outlineLvl?.val ?? '', 10);
    // Level 9 is body text.
    if (level >= 0) return level < highestLevel ? level + 1 : undefined;
    at = byId.get(at.basedOn?.val ?? '');
  }
  return undefined;
};

const isTitle = ({ styleId, name }: Style): boolean =>
  styleId === 'Title' || name?.val?.toLowerCase() === 'title';

const mapped = (name: string, level: number): string =>
  `p[style-name='${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'] => h${Math.min(highestLevel, level)}:fresh`;

/** Rules for the library. Below a title, each heading is one level deeper. */
export const styleMapOf = (parts: ReadonlyMap<string, string>): string[] => {
  const styles = stylesIn(parts.get('word/styles.xml') ?? '<styles/>');
  const byId = new Map(styles.map((style) => [style.styleId ?? '', style]));
  const document = parts.get('word/document.xml') ?? '';
  const title = styles.find((style) => isTitle(style) && document.includes(`w:val="${style.styleId}"`));
  const below = title === undefined ? 0 : 1;
  return [
    ...(title === undefined ? [] : [mapped(title.name?.val ?? 'Title', 1)]),
    ...styles.flatMap((style) => {
      const level = levelOf(style, byId);
      return level === undefined || style.name?.val === undefined
        ? []
        : [mapped(style.name.val, level + below)];
    }),
  ];
};
