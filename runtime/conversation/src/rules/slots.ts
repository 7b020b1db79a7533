// What has to be asked: the fields of `data_needed`, and the arguments of a tool.
import type { RuntimeConfig, ToolForRuntime } from '@parlance/contracts';
import type { SpokenField } from '@parlance/spoken-values';
import { primaryLanguage } from '../dialogue/language.js';
import { inWords } from './excerpt.js';

export interface Slot {
  readonly key: string;
  readonly field: SpokenField;
  /** In the question: "your full name". */
  readonly label: string;
  readonly isArgument: boolean;
  /** A person who does not know an optional value is not asked twice. */
  readonly isRequired: boolean;
}

const person = '(?:caller|customer|patient|guest|user|person|client|visitor|callee|contact)';
const possessive = new RegExp(`\\b(?:the |a )?${person}(?:'s|’s)`, 'gi');
const ofPerson = new RegExp(`\\bof (?:the )?${person}\\b`, 'gi');
const isOfPerson = (description: string): boolean => description.search(ofPerson) >= 0;
const ofPersonGerman =
  /\b(?:des|der) (?:anrufers|anruferin|kunden|kundin|patienten|patientin|gastes|person)\b/gi;

/** Descriptions are written about the person, and questions are put to them. */
const labelOf = (description: string): string => {
  return description
    .trim()
    .replace(/[.?!:]+$/, '')
    .replaceAll(possessive, 'your')
    .replaceAll(ofPerson, '')
    .replaceAll(ofPersonGerman, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
};

/** Words that need no article before them. */
const determined =
  /^(?:your|the|a|an|any|anything|all|whether|if|what|when|where|which|who|how|why|this|that|these|those)\b/i;
const longestPlainLabel = 8;

/** "Could you tell me ...": with an article where it is a plain noun, set apart where it is longer. */
const englishLabel = (description: string, label: string): string => {
  // An abbreviation such as "VAT number" keeps its capitals.
  const text = /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
  if (/[.,:;()]/.test(text) || text.split(' ').length > longestPlainLabel) return `this: ${text}`;
  if (determined.test(text)) return text;
  return `${isOfPerson(description) ? 'your' : 'the'} ${text}`;
};

export const labelIn = (description: string, language: string): string => {
  const label = labelOf(description);
  return primaryLanguage(language) === 'de' ? label : englishLabel(description, label);
};

/** Fields that are required come first. */
export const dataSlots = ({ config }: Pick<RuntimeConfig, 'config'>, language: string): readonly Slot[] => {
  const fields = config.data_needed;
  const ordered = [
    ...fields.filter(({ required }) => required === true),
    ...fields.filter(({ required }) => required !== true),
  ];
  return ordered.map(({ id, type, description, enumValues, required = false }) => ({
    key: id,
    field: { id, type, description, enumValues },
    label: labelIn(description, language),
    isArgument: false,
    isRequired: required,
  }));
};

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;

const choicesOf = (schema: unknown): readonly string[] | undefined => {
  const choices = member(schema, 'enum');
  return Array.isArray(choices) && choices.every((one) => typeof one === 'string') ? choices : undefined;
};

const typeOf = (schema: unknown): SpokenField['type'] | undefined => {
  if (choicesOf(schema) !== undefined) return 'enum';
  const type = member(schema, 'type');
  switch (type) {
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
      return type;
    default:
      return undefined;
  }
};

const comparable = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const requiredNames = ({ parameters }: ToolForRuntime): readonly string[] => {
  const names = member(parameters, 'required');
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
};

/** The slot of each parameter that a tool requires. One with the name of a field is that field. */
export const argumentSlots = (
  tool: ToolForRuntime,
  data: readonly Slot[],
  language: string,
): readonly { readonly name: string; readonly slot: Slot }[] =>
  requiredNames(tool).flatMap((name) => {
    const shared = data.find(({ key }) => comparable(key) === comparable(name));
    if (shared !== undefined) return [{ name, slot: shared }];
    const schema = member(member(tool.parameters, 'properties'), name);
    const type = typeOf(schema) ?? 'string';
    const description = member(schema, 'description');
    const words = typeof description === 'string' && description.trim() !== '' ? description : inWords(name);
    const field = { id: name, type, description: words, enumValues: choicesOf(schema) };
    return [
      {
        name,
        slot: {
          key: `${tool.name}.${name}`,
          field,
          label: labelIn(words, language),
          isArgument: true,
          isRequired: true,
        },
      },
    ];
  });

/** Rules can ask for a text, a number, a choice, or yes and no; a list or an object they cannot. */
export const canBeAsked = (tool: ToolForRuntime): boolean =>
  requiredNames(tool).every(
    (name) => typeOf(member(member(tool.parameters, 'properties'), name)) !== undefined,
  );
