// The search keys of a call: the number of the other party, and the words of its name. Pure, so that stored keys and
// searched keys are made the same way.

/** The variables of a call that hold the name of the person, in the spelling of `canonical`. */
const nameVariables: ReadonlySet<string> = new Set([
  ...['username', 'name', 'fullname', 'firstname', 'lastname', 'customername', 'contactname'],
]);
/** A text with more words is speech, and not a name. */
const mostWords = 8;
const longestName = 120;

const canonical = (variable: string): string => variable.replaceAll('_', '').toLowerCase();

/** A name without accents, in lower case, with one space between words: José  PÉREZ is jose perez. */
export const normalizedName = (name: string): string =>
  name
    .slice(0, longestName)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The words of the names in the variables of a call, and each name as a whole; each once. */
export const namesIn = (variables: Readonly<Record<string, string>>): readonly string[] => {
  const names = Object.entries(variables)
    .filter(([variable]) => nameVariables.has(canonical(variable)))
    .map(([variable, value]) => [canonical(variable), normalizedName(value)] as const)
    .filter(([, name]) => name !== '');
  const given = new Map(names);
  const [first, last] = [given.get('firstname'), given.get('lastname')];
  const whole = first !== undefined && last !== undefined ? [`${first} ${last}`] : [];
  const all = [...names.map(([, name]) => name), ...whole];
  return [...new Set(all.flatMap((name) => [name, ...name.split(' ').slice(0, mostWords)]))];
};

/** Digits of a number that was written as a whole. */
const fewestOfWhole = 8;
const writtenAsNumber = /^[+\d\s().\-/]+$/;

export type Search =
  /** The last digits of a number, three or more; of a whole number without its leading zeros. */
  | { readonly kind: 'number'; readonly digits: string }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'name'; readonly name: string };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Ids of calls that are no UUIDs: one word with a digit, a dash or an underscore in it. */
const otherId = /^(?=.*[\d_-])[A-Za-z0-9_-]{6,128}$/;

/** Reads the search text of a person. */
export const searchFrom = (text: string): Search => {
  const typed = text.trim();
  if (uuid.test(typed)) return { kind: 'id', id: typed.toLowerCase() };
  if (writtenAsNumber.test(typed)) {
    const digits = typed.replaceAll(/\D/g, '');
    // A national number begins with a zero. Fewer digits are the last ones of a number, and are searched as they are.
    const isWhole = !typed.startsWith('+') && digits.length >= fewestOfWhole;
    return { kind: 'number', digits: isWhole ? digits.replace(/^0+(?=\d{3})/, '') : digits };
  }
  return otherId.test(typed) ? { kind: 'id', id: typed } : { kind: 'name', name: normalizedName(typed) };
};
