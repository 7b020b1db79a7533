// Tells whether every value of one schema fits another: the values of a sender against the schema of a receiver. The
// comparison reads the schemas alone, so it misses a rule outside of the schema, such as one over two fields.
import {
  canonical,
  type Definitions,
  refPrefix,
  type Schema,
  schemaOfValue,
  typeFits,
  typesOf,
  valuesOf,
} from './json-schema.js';

/** A schema, and the definitions that its references name. */
export interface Shape {
  readonly schema: Schema;
  readonly definitions: Definitions;
}

export interface Question {
  /** The values that the sender may send. */
  readonly sent: Shape;
  /** The values that the receiver takes. */
  readonly taken: Shape;
  /** The receiver leaves unknown fields alone, even where its schema refuses them. */
  readonly ignoresUnknown: boolean;
}

interface Asking extends Question {
  /** Pairs of references that are being compared, so that recursive schemas come to an end. */
  readonly open: ReadonlySet<string>;
}

const resolved = (schema: Schema, definitions: Definitions): Schema => {
  let found = schema;
  for (let depth = 0; found.$ref !== undefined && depth < 32; depth += 1)
    found = definitions[found.$ref.slice(refPrefix.length)] ?? {};
  return found;
};

const branchesOf = ({ anyOf, oneOf }: Schema): readonly Schema[] | undefined => anyOf ?? oneOf;

/** One object schema for all parts of an intersection. */
const merged = (schema: Schema, definitions: Definitions): Schema => {
  if (schema.allOf === undefined) return schema;
  const { allOf, ...own } = schema;
  const parts = [own, ...allOf.map((part) => merged(resolved(part, definitions), definitions))];
  const open = parts.some(({ additionalProperties }) => additionalProperties !== false);
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: [...new Set(parts.flatMap(({ required = [] }) => required))],
    ...(open ? { additionalProperties: undefined } : {}),
  };
};

interface Limit {
  readonly name: keyof Schema;
  readonly isLooser: (sent: number | undefined, taken: number) => boolean;
}
const upper = (sent: number | undefined, taken: number): boolean => sent === undefined || sent > taken;
const lower = (sent: number | undefined, taken: number): boolean => sent === undefined || sent < taken;
const limits: readonly Limit[] = [
  { name: 'maxLength', isLooser: upper },
  { name: 'maximum', isLooser: upper },
  { name: 'exclusiveMaximum', isLooser: upper },
  { name: 'maxItems', isLooser: upper },
  { name: 'minLength', isLooser: (sent, taken) => taken > 0 && lower(sent, taken) },
  { name: 'minimum', isLooser: lower },
  { name: 'exclusiveMinimum', isLooser: lower },
  { name: 'minItems', isLooser: (sent, taken) => taken > 0 && lower(sent, taken) },
  { name: 'multipleOf', isLooser: (sent, taken) => sent === undefined || sent % taken !== 0 },
];

const outsideLimits = (sent: Schema, taken: Schema, path: string): readonly string[] => [
  ...limits.flatMap(({ name, isLooser }) => {
    const [own, wanted] = [sent[name], taken[name]];
    if (typeof wanted !== 'number') return [];
    const given = typeof own === 'number' ? own : undefined;
    // An inclusive limit is at least as tight as an exclusive one behind it.
    return isLooser(given, wanted) ? [`${path}: ${name} ${given ?? 'none'} is beyond ${wanted}`] : [];
  }),
  ...(['pattern', 'format'] as const).flatMap((name) => {
    const [own, wanted] = [sent[name], taken[name]];
    if (wanted === undefined || own === wanted || valuesOf(sent) !== undefined) return [];
    return [`${path}: ${name} ${own ?? 'none'} is not ${wanted}`];
  }),
];

const objects = (sent: Schema, taken: Schema, path: string, asking: Asking): readonly string[] => {
  const { properties: own = {}, required: always = [] } = sent;
  const { properties: known = {}, required = [], additionalProperties: others = true } = taken;
  const missing = required
    .filter((name) => !always.includes(name))
    .map((name) => `${path}.${name}: may be absent, and is required`);
  const fields = Object.entries(own).flatMap(([name, schema]) => {
    const counterpart = known[name];
    if (counterpart !== undefined) return compare(schema, counterpart, `${path}.${name}`, asking);
    if (typeof others === 'object') return compare(schema, others, `${path}.${name}`, asking);
    return others || asking.ignoresUnknown ? [] : [`${path}.${name}: is not known`];
  });
  const { additionalProperties: rest } = sent;
  if (typeof rest !== 'object') return [...missing, ...fields];
  const keys =
    taken.propertyNames === undefined
      ? []
      : compare(sent.propertyNames ?? {}, taken.propertyNames, `${path}.<name>`, asking);
  if (typeof others === 'object')
    return [...missing, ...fields, ...keys, ...compare(rest, others, `${path}.*`, asking)];
  return others || asking.ignoresUnknown
    ? [...missing, ...fields, ...keys]
    : [...missing, ...fields, `${path}.*: is not known`];
};

const arrays = (sent: Schema, taken: Schema, path: string, asking: Asking): readonly string[] => {
  const length = Math.max(sent.prefixItems?.length ?? 0, taken.prefixItems?.length ?? 0);
  const places = Array.from({ length }, (_, index) => {
    const [own, wanted] = [
      sent.prefixItems?.[index] ?? sent.items,
      taken.prefixItems?.[index] ?? taken.items,
    ];
    return wanted === undefined ? [] : compare(own ?? {}, wanted, `${path}[${index}]`, asking);
  });
  const items = taken.items === undefined ? [] : compare(sent.items ?? {}, taken.items, `${path}[]`, asking);
  return [...places.flat(), ...(sent.prefixItems !== undefined && sent.items === undefined ? [] : items)];
};

const isAnything = (schema: Schema): boolean => Object.keys(schema).length === 0;

const fewest = (all: readonly (readonly string[])[]): readonly string[] =>
  all.reduce((best, next) => (next.length < best.length ? next : best));

/** The sender's alternatives one by one; undefined where it has one alone. */
const alternativesOf = (sent: Schema, taken: Schema): readonly Schema[] | undefined => {
  const branches = branchesOf(sent);
  if (branches !== undefined) return branches;
  const values = valuesOf(sent);
  if (values !== undefined && (values.length > 1 || sent.type === undefined))
    return values.map(schemaOfValue);
  const types = typesOf(sent);
  if (types === undefined && !isAnything(sent)) return undefined;
  return types !== undefined && types.length > 1 && branchesOf(taken) !== undefined
    ? types.map((type) => ({ ...sent, type }))
    : undefined;
};

const plain = (sent: Schema, taken: Schema, path: string, asking: Asking): readonly string[] => {
  const wanted = valuesOf(taken);
  const values = valuesOf(sent);
  if (wanted !== undefined) {
    if (values === undefined)
      return [`${path}: any ${typesOf(sent)?.join(' or ') ?? 'value'} is not one of a list`];
    const known = new Set(wanted.map(canonical));
    return values
      .filter((value) => !known.has(canonical(value)))
      .map((value) => `${path}: ${JSON.stringify(value)} is not known`);
  }
  const types = typesOf(taken);
  const own = typesOf(sent);
  if (types !== undefined && !own?.every((type) => typeFits(type, types)))
    return [`${path}: ${own?.join(' or ') ?? 'anything'} is not ${types.join(' or ')}`];
  return [
    ...outsideLimits(sent, taken, path),
    ...(own?.includes('object') ? objects(sent, taken, path, asking) : []),
    ...(own?.includes('array') ? arrays(sent, taken, path, asking) : []),
  ];
};

/** Only pairs with a reference can recur, and writing out a pair costs more than comparing it. */
const recursionOf = (sent: Schema, taken: Schema): string | undefined =>
  sent.$ref === undefined && taken.$ref === undefined
    ? undefined
    : `${sent.$ref ?? canonical(sent)}\n${taken.$ref ?? canonical(taken)}`;

const compare = (sentRaw: Schema, takenRaw: Schema, path: string, asking: Asking): readonly string[] => {
  const pair = recursionOf(sentRaw, takenRaw);
  if (pair !== undefined && asking.open.has(pair)) return [];
  const inner: Asking = pair === undefined ? asking : { ...asking, open: new Set([...asking.open, pair]) };
  const sent = merged(resolved(sentRaw, asking.sent.definitions), asking.sent.definitions);
  const taken = merged(resolved(takenRaw, asking.taken.definitions), asking.taken.definitions);
  if (isAnything(taken) || sent.not !== undefined) return [];
  if (taken.not !== undefined) return [`${path}: nothing is taken`];
  const alternatives = alternativesOf(sent, taken);
  if (alternatives !== undefined) return alternatives.flatMap((one) => compare(one, taken, path, inner));
  const branches = branchesOf(taken);
  if (branches !== undefined) return fewest(branches.map((one) => compare(sent, one, path, inner)));
  return plain(sent, taken, path, inner);
};

/**
 * The values that may be sent and are refused: one line for each place, as `.name: reason`. Empty when everything fits.
 */
export const differences = (question: Question): readonly string[] => [
  ...new Set(compare(question.sent.schema, question.taken.schema, '', { ...question, open: new Set() })),
];
