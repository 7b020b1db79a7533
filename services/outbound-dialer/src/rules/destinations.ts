// The countries that an organization calls.
export interface CountryRules {
  readonly settings: {
    /** Those that the organization chose; null where it chose none. */
    readonly allowedCountries: readonly string[] | null;
    /** The only countries that may be called, against all other rules; null where the operator set no limit. */
    readonly operatorCountries: readonly string[] | null;
  };
  /** The countries of the numbers that the organization may call from. */
  readonly ownCountries: readonly string[];
  /** Countries that the deployment allows to every organization. */
  readonly everybodys: readonly string[];
}

/**
 * The countries that the organization chose, or else those of its own numbers; and the countries that the deployment adds.
 * An organization without a number has none, even if it chose some: otherwise signing up would be enough to make calls.
 * The operator's limit for the organization bounds all of them.
 */
export const allowedCountries = ({ settings, ownCountries, everybodys }: CountryRules): readonly string[] => {
  if (ownCountries.length === 0) return [];
  const allowed = [...(settings.allowedCountries ?? ownCountries), ...everybodys];
  const { operatorCountries: most } = settings;
  return most === null ? allowed : allowed.filter((country) => most.includes(country));
};
