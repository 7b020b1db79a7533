// The one rule for names of time zones: the place, as IANA writes it. `Intl` also takes abbreviations, and means one
// country by each: BST is Bangladesh, EST is Panama, IST is India. Whoever writes BST in London means London.

// V8 lists these zones under names that IANA has since replaced; it understands both, and people write the new ones.
const renamedZones =
  'Africa/Asmara America/Argentina/Buenos_Aires America/Argentina/Catamarca America/Argentina/Cordoba ' +
  'America/Argentina/Jujuy America/Argentina/Mendoza America/Atikokan America/Indiana/Indianapolis ' +
  'America/Kentucky/Louisville America/Nuuk Asia/Ho_Chi_Minh Asia/Kathmandu Asia/Kolkata Asia/Yangon ' +
  'Atlantic/Faroe Europe/Kyiv Pacific/Chuuk Pacific/Kanton Pacific/Pohnpei';

/** The zone's name as this runtime writes it; undefined for a name that it does not know. */
const knownToRuntime = (timeZone: string): string | undefined => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
};

const namesPlace = /^[a-z_]+(?:\/[a-z][a-z0-9_+-]*){1,2}$/i;
/** Offsets without a place. Etc/GMT+5 is five hours behind Greenwich, and most people write it for the opposite. */
const namesOffset = /^(?:Etc|SystemV)\//i;
const isPlace = (name: string): boolean => namesPlace.test(name) && !namesOffset.test(name);

const places = [...Intl.supportedValuesOf('timeZone'), ...renamedZones.split(' ')].filter(
  (zone) => isPlace(zone) && knownToRuntime(zone) !== undefined,
);

/** The zones to choose from, in order. */
export const timeZones: readonly string[] = [...new Set(['UTC', ...places])].sort();

const byLetters = new Map(timeZones.map((zone) => [zone.toLowerCase(), zone]));

/**
 * The zone in its usual spelling: `europe/berlin` is Europe/Berlin, US/Eastern is America/New_York. Undefined for
 * abbreviations, offsets, and everything else that is neither a place of the IANA database nor UTC.
 */
export const timeZoneNamed = (name: string): string | undefined => {
  const letters = name.toLowerCase();
  if (letters === 'etc/utc') return 'UTC';
  return byLetters.get(letters) ?? (isPlace(name) ? knownToRuntime(name) : undefined);
};

const isOffset = (name: string): boolean =>
  /^(?:(?:UTC|GMT)\s*)?[+-]\d{1,2}(?::?\d{2})?$/i.test(name) || namesOffset.test(name);
/** Abbreviations of summer times and others that people write, and this runtime does not know. */
const seasonal =
  /^(?:[ACEMNP]DT|AK[SD]T|H[AD]DT|CES?T|EES?T|WES?T|MSK|MES?Z|WAT|SAST|GST|SGT|HKT|KST|WIB|AE[SD]T|AC[SD]T|AWST|NZ[SD]T)$/i;
const isShortName = (name: string): boolean =>
  seasonal.test(name) || (!name.includes('/') && knownToRuntime(name) !== undefined);

/**
 * Why `timeZoneNamed` knows no zone of this name. Quotes the name only where it means a time: the text may come from a
 * file in which columns have shifted, and messages about files are kept.
 */
export const timeZoneProblem = (name: string): string => {
  const instead = 'write the name of a place, such as Europe/London or America/New_York';
  if (isOffset(name)) return `"${name}" is an offset, which does not change with the season: ${instead}`;
  if (isShortName(name))
    return `"${name}" is a short name, which may mean the time of another country: ${instead}`;
  return `is not the name of a time zone: ${instead}`;
};
