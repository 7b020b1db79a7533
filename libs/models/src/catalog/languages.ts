// Languages that a configuration may name. Models and voices list plain languages (`en`), because their vendors promise
// no more. A model that understands a language understands its regional forms (`en-GB`).

const regionsOf: Readonly<Record<string, string>> = {
  en: 'US GB AU CA IE IN NZ ZA',
  es: '419 AR CL CO ES MX US',
  fr: 'BE CA CH FR',
  de: 'AT CH DE',
  it: 'CH IT',
  pt: 'BR PT',
  nl: 'BE NL',
  ar: 'AE EG SA',
  bg: 'BG',
  cs: 'CZ',
  da: 'DK',
  el: 'GR',
  fi: 'FI',
  fil: 'PH',
  he: 'IL',
  hi: 'IN',
  hr: 'HR',
  hu: 'HU',
  id: 'ID',
  ja: 'JP',
  ko: 'KR',
  ms: 'MY',
  no: 'NO',
  pl: 'PL',
  ro: 'RO',
  ru: 'RU',
  sk: 'SK',
  sv: 'SE',
  ta: 'IN',
  th: 'TH',
  tr: 'TR',
  uk: 'UA',
  vi: 'VN',
  zh: 'CN TW',
};

const inEnglish = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' });
const nameOf = (code: string): string => inEnglish.of(code) ?? code;

/** BCP 47 codes with their English names; a plain language first, then its regional forms. */
export const languages: readonly { readonly code: string; readonly name: string }[] = Object.entries(
  regionsOf,
).flatMap(([language, regions]) =>
  [language, ...regions.split(' ').map((region) => `${language}-${region}`)].map((code) => ({
    code,
    name: nameOf(code),
  })),
);

/** Does something that lists these plain languages (or `*` for all) understand this one? */
export const understands = (listed: readonly string[], code: string): boolean =>
  listed.includes('*') || listed.includes(code) || listed.includes(code.replace(/-.*$/, ''));
